import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'

/** Requests a profile without a server, which would need another permission, and prints the response. */
const program = `
  import { createManagement } from 'upkeep'
  const management = createManagement({ expose: ['profile'], authorize: () => ({ name: 'test' }) })
  const target = '/management/profile?seconds=0.1&format=folded'
  const { status, body } = await management({ method: 'GET', target, headers: {}, base: '', body: () => {} })
  if (typeof body !== 'string') for await (const chunk of body);
  console.log(JSON.stringify([status, typeof body === 'string' ? JSON.parse(body).detail : 'a profile']))
  management.close()
`

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const permission = major > 22 || (major === 22 && minor >= 13) ? '--permission' : '--experimental-permission'
const model = [permission, '--allow-fs-read=*', '--no-warnings']

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

describe('profiles under the permission model', () => {
  const canGrant = major >= 24
  const withoutInspector = canGrant
    ? 'the inspector requires the permission --allow-inspector'
    : 'the inspector is not available under the permission model of this version of Node'
  const cases: readonly (readonly [granted: readonly string[], response: readonly [status: number, detail: string]])[] =
    [
      [[], [501, 'Not available: starting a thread requires the permission --allow-worker.']],
      [['--allow-worker'], [501, `Not available: ${withoutInspector}.`]],
      [
        ['--allow-worker', '--allow-inspector'],
        [200, 'a profile'],
      ],
    ]
  it.each(canGrant ? cases : cases.slice(0, 2))('with %j respond with %j', async (granted, expected) => {
    expect(await runWith([...model, ...granted])).toEqual(expected)
  })
})

describe('profiles beside others that use the inspector', () => {
  it.each([[['--inspect=127.0.0.1:0']], [['--cpu-prof', `--cpu-prof-dir=${tmpdir()}`]]])('with %j', async (flags) => {
    expect(await runWith(flags)).toEqual([200, 'a profile'])
  })
})

/** Runs the program until it ends by itself; returns what it prints. */
async function runWith(flags: readonly string[]): Promise<unknown> {
  const args = [...flags, '--input-type=module', '-e', program]
  const child = startChild(process.execPath, args, { cwd: resolve(import.meta.dirname, '../..') })
  const line = await child.out.line(/^\[/)
  expect(await child.ended).toBe(0)
  return JSON.parse(line)
}

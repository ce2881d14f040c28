import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { differingFeatures, documentedFeatures, onlyThePackage } from '../../scripts/feature-table.mjs'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder-with.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const enabled = major > 22 || (major === 22 && minor >= 13) ? '--permission' : '--experimental-permission'
const model = [enabled, onlyThePackage, '--no-warnings']

/** Those of this version of Node, such as `--allow-worker`. */
const permissions = [
  ...new Set(execFileSync(process.execPath, ['--help'], { encoding: 'utf8' }).match(/--allow-[a-z-]+(?==)?/g)),
]

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

describe('the endpoints under the permission model', () => {
  const table = `permission, Node ${major < 24 ? 20 : 24}`
  const columns = ['--allow-fs-read=*', '--allow-worker', ...(major < 24 ? [] : ['--allow-worker --allow-inspector'])]

  it.each(['none', ...columns])('respond as documented with the permissions %s', async (column) => {
    const granted = column === 'none' ? [] : column.split(' ')
    const documented = documentedFeatures(table, column)
    expect(await differingFeatures([process.execPath, ...model, ...granted], documented)).toEqual([])
  })

  const others = permissions.filter((flag) => !columns.some((column) => column.startsWith(flag)))
  it(`are not changed by ${others.join(' ')}`, async () => {
    const granted = others.map((flag) =>
      flag.startsWith('--allow-fs') && flag !== '--allow-fs-vfs' ? `${flag}=*` : flag,
    )
    const documented = documentedFeatures(table, 'none')
    expect(await differingFeatures([process.execPath, ...model, ...granted], documented)).toEqual([])
  })
})

describe('the start under the permission model', () => {
  /** Runs a program until it ends by itself; returns the lines that it prints. */
  async function run(program: string, flags: readonly string[]): Promise<readonly string[]> {
    const args = [...model, ...flags, '--input-type=module', '-e', program]
    const child = startChild(process.execPath, args, { cwd: resolve(import.meta.dirname, '../..') })
    expect(await child.ended).toBe(0)
    return [...child.out.lines, ...child.err.lines]
  }
  const imports = `
    import { createManagement } from 'upkeep'
    import { listen, watchdog } from 'upkeep/node'
    const failed = ({ message }) => console.log(message)`

  it('names the permission that a watchdog requires', async () => {
    const program = `${imports}
      await watchdog(createManagement(), { port: 0 }).catch(failed)`
    const net = permissions.includes('--allow-net')
    expect(await run(program, net ? ['--allow-net'] : [])).toEqual([
      'watchdog: starting a thread requires the permission --allow-worker',
    ])
  })

  it.runIf(permissions.includes('--allow-net'))('names what listening requires (from Node 25)', async () => {
    const program = `${imports}
      await listen(createManagement(), { port: 0 }).catch(failed)
      await watchdog(createManagement(), { port: 0 }).catch(failed)`
    expect(await run(program, ['--allow-worker'])).toEqual([
      'listen: listening on a port requires the permission --allow-net',
      'watchdog: listening on a port requires the permission --allow-net',
    ])
  })

  it('serves with the permissions that it requires', async () => {
    const program = `${imports}
      const management = createManagement()
      const { address, close } = await listen(management, { port: 0 })
      const dog = await watchdog(management, { port: 0 })
      for (const port of [address.port, dog.port]) {
        const { status } = await fetch('http://127.0.0.1:' + port + '/management/health/liveness')
        console.log(status)
      }
      await dog.close()
      await close()`
    const net = permissions.includes('--allow-net') ? ['--allow-net'] : []
    expect(await run(program, ['--allow-worker', ...net])).toEqual(['200', '200'])
  })
})

describe('the endpoints', () => {
  it.each([[[]], [['--inspect=127.0.0.1:0']], [['--cpu-prof']]])('respond as documented with %j', async (flags) => {
    const documented = documentedFeatures('endpoint', `Node ${major}`)
    const options = flags.includes('--cpu-prof') ? [...flags, `--cpu-prof-dir=${await folderWith({})}`] : flags
    expect(await differingFeatures([process.execPath, ...options], documented)).toEqual([])
  })
})

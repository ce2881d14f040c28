import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startGroup } from '../cluster/processes/start-member.ts'
import { built } from '../support/built.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')

it('upkeep cluster shows a member whose event loop is blocked as stale', async () => {
  const { directory, members } = await startGroup({})
  await members[0]?.send({ command: 'block' })
  const words = ['cluster', '--directory', directory, '--group', 'members', '--json']
  const state = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [command, ...words])
    return JSON.parse(stdout).members[0].state
  }
  await expect.poll(state).toBe('stale')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { built } from '../support/built.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')

it('ends without an error message when its reader closes the pipe', async () => {
  const child = spawn(process.execPath, [command, 'contract', '--list'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, errors]).toEqual([2, ''])
})

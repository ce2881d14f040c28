import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const command = resolve(import.meta.dirname, '../../dist/upkeep.cjs')

it.skipIf(!existsSync(command))('ends without an error message when its reader closes the pipe', async () => {
  const child = spawn(process.execPath, [command, 'contract', '--list'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, errors]).toEqual([2, ''])
})

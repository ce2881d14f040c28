import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { built } from '../support/built.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')

it.each([
  ['contract', '--list'],
  ['doctor', '--help'],
  ['cluster', '--help'],
  ['top', '--help'],
  ['probe', '--help'],
  ['--help'],
])('ends without an error message when its reader closes the pipe: upkeep %s %s', async (...words) => {
  const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, errors]).toEqual([2, ''])
})

it('ends when the reader of its errors closes the pipe', async () => {
  const child = spawn(process.execPath, [command, 'nothing'], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.destroy()
  const [code, signal] = await once(child, 'close')
  expect([code, signal]).toEqual([2, null])
})

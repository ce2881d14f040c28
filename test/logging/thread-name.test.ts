import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'

const source = await readFile(new URL('../../src/logging/thread-name.ts', import.meta.url), 'utf8')
const { code } = await transform(source, { loader: 'ts', format: 'cjs' })
const program = `${code}\nrequire('node:worker_threads').parentPort.postMessage(module.exports.threadName())`
const isNamed = 'threadName' in process.getBuiltinModule('node:worker_threads')

it.each([
  ['its name, where Node tells it', { name: 'mailer' }, (id: number) => (isNamed ? 'mailer' : `worker-${id}`)],
  ['its number where it has no name', {}, (id: number) => `worker-${id}`],
])('a worker is named by %s', async (_, options, expected) => {
  const worker = new Worker(program, { eval: true, ...options })
  const { threadId } = worker
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const name = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await ended
  expect(name).toBe(expected(threadId))
})

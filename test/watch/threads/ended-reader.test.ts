/// <reference path="../../../src/base/worker-source.d.ts" />
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startThread } from '../../../src/watch/start-thread.ts'

vi.mock(
  '../../../src/watch/thread-program.ts?worker-source',
  () => import('./fixtures/holding-reader.ts?worker-source'),
)

/** Starts a worker thread that counts; resolves with a function that returns what it has counted. */
async function startCounter(): Promise<() => number> {
  const count = new Int32Array(new SharedArrayBuffer(4))
  const program = "const { workerData } = require('node:worker_threads'); for (;;) Atomics.add(workerData, 0, 1)"
  const worker = new Worker(program, { eval: true, workerData: count })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'online')
  return () => Atomics.load(count, 0)
}

it('a worker thread goes on when the diagnosing thread ends while it holds it paused', async () => {
  const read = await startCounter()
  const { worker } = startThread()
  await once(worker, 'message')
  const held = read()
  for (let turn = 0; turn < 1_000; turn += 1) await setImmediate()
  expect(read()).toBe(held)
  await worker.terminate()
  await expect.poll(read).not.toBe(held)
})

/// <reference path="../../../src/base/worker-source.d.ts" />
import { expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../support/child.ts'
import { source } from './fixtures/failing-reader.ts?worker-source'

/** Runs until its main thread, whose stack a thread reads, has seen that this thread fails. */
const program = `
  const { Worker } = require('node:worker_threads')
  const [, source, how] = process.argv
  const isFailing = new Int32Array(new SharedArrayBuffer(4))
  const options = { eval: true, workerData: { how, isFailing }, resourceLimits: { maxOldGenerationSizeMb: 64 } }
  const worker = new Worker(source, options).on('error', () => {})
  worker.once('message', () => {
    while (Atomics.load(isFailing, 0) === 0);
    console.log('resumed')
    process.exit()
  })`

// Not `process.exit()`, which aborts the process in a fifth of the runs: Node's own fault, and nothing here calls it.
it.each(['throws', 'loops', 'runs out of memory'])(
  'the main thread resumes when the thread that holds it %s',
  async (how) => {
    const child = startChild(process.execPath, ['-e', program, source, how])
    onTestFinished(() => child.kill())
    await child.out.line(/^resumed$/)
    expect(await child.ended).toBe(0)
  },
)

/// <reference path="../../../src/base/worker-source.d.ts" />
import { expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../support/child.ts'
import { source } from './fixtures/failing-reader.ts?worker-source'

/** Measures the longest time for which the main thread does not run, while a thread reads its stack and fails. */
const program = `
  const { Worker } = require('node:worker_threads')
  const [, source, how] = process.argv
  const options = { eval: true, workerData: how, resourceLimits: { maxOldGenerationSizeMb: 64 } }
  const worker = new Worker(source, options).on('error', () => {})
  worker.once('message', () => {
    let [longest, last] = [0, performance.now()]
    for (const end = last + 3_000; last < end; ) {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
    console.log('longest ' + Math.round(longest))
    process.exit()
  })`

// Not `process.exit()`, which aborts the process in a fifth of the runs: Node's own fault, and nothing here calls it.
it.each(['throws', 'loops', 'runs out of memory'])(
  'the main thread resumes within a second when the thread that holds it %s',
  async (how) => {
    const child = startChild(process.execPath, ['-e', program, source, how])
    onTestFinished(() => child.kill())
    await child.out.line(/^failing$/)
    const longest = Number((await child.out.line(/^longest /)).slice('longest '.length))
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeLessThan(1_000)
    expect(await child.ended).toBe(0)
  },
)

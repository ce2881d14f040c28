import { once } from 'node:events'
import { connect } from 'node:net'
import type { Child } from '../support/child.ts'

/**
 * A part of programs whose main thread is blocked by a loop until the test ends it: that calls `startReleaser()` before
 * the loop, says that it has begun by `sayLooping()` in the loop's function, and goes on while `isLooping()`.
 */
export const releaser = `
  import { once } from 'node:events'
  import { writeSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  const isReleased = new Int32Array(new SharedArrayBuffer(4))
  let releasePort
  async function startReleaser() {
    if (releasePort !== undefined) return
    const code = \`const { parentPort, workerData } = require('node:worker_threads')
      const server = require('node:net').createServer((socket) => {
        Atomics.store(workerData, 0, 1)
        socket.end()
      })
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))\`
    const thread = new Worker(code, { eval: true, execArgv: [], workerData: isReleased, name: 'releaser' })
    ;[releasePort] = await once(thread, 'message')
    thread.unref()
  }
  function sayLooping() {
    Atomics.store(isReleased, 0, 0)
    writeSync(1, 'loops ' + releasePort + '\\n')
  }
  function isLooping() {
    return Atomics.load(isReleased, 0) === 0
  }
`

/** Resolves when a process is in such a loop, for the nth time, with a function that ends it. */
export async function untilLooping({ out }: Child, nth: number): Promise<() => Promise<unknown>> {
  const port = Number((await out.line(/^loops \d+$/, nth)).split(' ')[1])
  return () => once(connect(port, '127.0.0.1').resume(), 'close')
}

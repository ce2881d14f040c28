import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDiagnostics } from '../../../src/watch/diagnostics/diagnostics.ts'
import { createFifo } from '../../support/fifo.ts'

const never = new AbortController().signal

/** Starts a worker thread, and resolves when it is inside a system call. `release` ends that, and the thread with it. */
async function startCaller(): Promise<{ readonly worker: Worker; readonly release: () => void }> {
  const { path, untilRead } = createFifo()
  const program = "require('node:fs').readFileSync(require('node:worker_threads').workerData, 'utf8')"
  const worker = new Worker(program, { eval: true, name: 'caller', workerData: path })
  return { worker, release: await untilRead() }
}

describe('a thread dump while a worker thread is inside native code', () => {
  function start() {
    const diagnostics = createDiagnostics(vi.fn())
    onTestFinished(() => diagnostics.close())
    return async () =>
      (await diagnostics.run('threaddump', {}, never)).threads.map(({ name, activity, frames }) => {
        return { name: name.replace(/\d+/, 'n'), activity, frames: frames.length }
      })
  }

  it('has no stack of it', async () => {
    const dump = start()
    const { worker, release } = await startCaller()
    const ended = once(worker, 'exit')
    expect((await dump()).slice(1)).toEqual([{ name: 'worker n caller', activity: 'native', frames: 0 }])
    release()
    await ended
  })

  it('goes on when that thread ends meanwhile', async () => {
    const dump = start()
    await dump()
    const { worker, release } = await startCaller()
    const ended = once(worker, 'exit')
    const pending = dump()
    release()
    expect((await pending)[0]).toMatchObject({ name: 'main' })
    await ended
    expect((await dump()).slice(1)).toEqual([])
  })
})

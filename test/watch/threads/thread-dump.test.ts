import { once } from 'node:events'
import { close, open } from 'node:inspector'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ThreadDumpOutput, ThreadStack } from '../../../src/watch/diagnostics/diagnostic-operation.ts'
import { createDiagnostics } from '../../../src/watch/diagnostics/diagnostics.ts'
import { dumpThreads } from '../../../src/watch/threads/thread-dump.ts'
import { eventually } from '../../support/eventually.ts'

const never = new AbortController().signal

function start() {
  const diagnostics = createDiagnostics(vi.fn())
  onTestFinished(() => diagnostics.close())
  return () => diagnostics.run('threaddump', {}, never)
}

/** Starts a worker thread; resolves when its program has called `ready()`. */
async function startWorker(program: string, name: string): Promise<Worker> {
  const ready = "const ready = () => require('node:worker_threads').parentPort.postMessage('ready')"
  const worker = new Worker(`${ready}\n${program}`, { eval: true, name })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
  return worker
}

const burner = () => startWorker('function burn() { ready(); for (;;); }; burn()', 'burner')

/** Resolves when the event loop of a worker thread waits for events. */
function untilIdle({ performance }: Worker): Promise<void> {
  return eventually(() => expect(performance.eventLoopUtilization().idle).toBeGreaterThan(0))
}

function outline({ name, activity, frames }: ThreadStack) {
  return { name: name.replace(/\d+/, 'n'), activity, innermost: frames[0]?.functionName }
}

function blockTheLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Dumps while the main thread is blocked: again, and for longer, if the pause came after the block. */
async function dumpDuringBlock(dump: () => Promise<ThreadDumpOutput>): Promise<ThreadDumpOutput> {
  for (let milliseconds = 100; ; milliseconds *= 2) {
    const pending = dump()
    // Until the request has been sent.
    await setImmediate()
    blockTheLoop(milliseconds)
    const output = await pending
    if (output.threads[0]?.frames.some(({ functionName }) => functionName === 'blockTheLoop')) return output
  }
}

describe('a thread dump', () => {
  it('has the stacks of worker threads that never yield, and tells idle ones from them', async () => {
    const dump = start()
    await burner()
    await startWorker(
      'function hold() { ready(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }; hold()',
      'holder',
    )
    await untilIdle(await startWorker('setInterval(() => {}, 100_000); ready()', 'idler'))
    const { threads } = await dump()
    expect(threads.map(({ id }) => id)).toEqual(threads.map(({ id }) => id).toSorted((a, b) => a - b))
    expect(threads.slice(1).map(outline)).toEqual([
      { name: 'worker n burner', activity: 'running', innermost: 'burn' },
      { name: 'worker n holder', activity: 'running', innermost: 'hold' },
      { name: 'worker n idler', activity: 'idle', innermost: undefined },
    ])
  })

  it('has the stack of the main thread while it is blocked, and of a worker thread at the same time', async () => {
    const dump = start()
    await burner()
    const { threads } = await dumpDuringBlock(dump)
    expect(threads.map(outline)).toMatchObject([{ name: 'main', activity: 'running' }, { innermost: 'burn' }])
    expect(threads[0]?.frames.find(({ functionName }) => functionName === 'blockTheLoop')).toMatchObject({
      url: expect.stringMatching(/thread-dump\.test\.ts$/),
    })
  })

  it('has at most 256 calls of a stack', async () => {
    const dump = start()
    await startWorker(
      `function recurse(depth) {
        if (depth > 0) return recurse(depth - 1)
        ready()
        for (;;);
      }
      recurse(3_000)`,
      'recurser',
    )
    const { threads } = await dump()
    expect(threads[1]?.frames).toHaveLength(256)
    expect(threads[1]?.frames.at(-1)).toMatchObject({ functionName: 'recurse' })
  })

  it('is shared by callers at the same time', async () => {
    const dump = start()
    await burner()
    const dumps = await Promise.all([dump(), dump(), dump()])
    expect(dumps[1]).toEqual(dumps[0])
    expect(dumps[2]).toEqual(dumps[0])
  })

  it('goes on when a caller leaves', async () => {
    const diagnostics = createDiagnostics(vi.fn())
    onTestFinished(() => diagnostics.close())
    const controller = new AbortController()
    const left = diagnostics.run('threaddump', {}, controller.signal)
    const stayed = diagnostics.run('threaddump', {}, never)
    controller.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect((await stayed).threads[0]).toMatchObject({ id: 0, name: 'main' })
  })

  it.each(['bun', 'deno'])('is refused with 501 on %s', async (name) => {
    Object.defineProperty(process.versions, name, { value: '1.0.0', configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(process.versions, name))
    const run = vi.fn()
    await expect(dumpThreads(run, never)).rejects.toMatchObject({
      status: 501,
      message: expect.stringMatching(new RegExp(`^Not available: ${name} cannot inspect another thread`, 'i')),
    })
    expect(run).not.toHaveBeenCalled()
  })

  it('has the main thread only while a debugger is attached, which is not paused', async () => {
    await burner()
    open(0, '127.0.0.1')
    onTestFinished(close)
    const run = vi.fn()
    const { threads } = await dumpThreads(run, never)
    expect(run).not.toHaveBeenCalled()
    expect(threads).toMatchObject([{ id: 0, name: 'main', activity: 'running' }])
    expect(threads[0]?.frames.map(({ functionName }) => functionName)).toContain('dumpThreads')
  })
})

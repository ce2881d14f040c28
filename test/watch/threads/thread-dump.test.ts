import { once } from 'node:events'
import { close, open } from 'node:inspector'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDiagnostics } from '../../../src/watch/diagnostics/diagnostics.ts'
import { dumpThreads } from '../../../src/watch/threads/thread-dump.ts'
import type { ThreadDumpOutput, ThreadStack } from '../../../src/watch/threads/thread-dump-operation.ts'

const never = new AbortController().signal

function start() {
  const diagnostics = createDiagnostics(vi.fn())
  onTestFinished(() => diagnostics.close())
  return () => diagnostics.run('threaddump', {}, never)
}

async function startWorker(program: string, name: string): Promise<Worker> {
  const worker = new Worker(program, { eval: true, name })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'online')
  return worker
}

const burner = () => startWorker('function burn() { for (;;); }; burn()', 'burner')

function outline({ name, activity, frames }: ThreadStack) {
  return { name: name.replace(/\d+/, 'n'), activity, innermost: frames[0]?.functionName }
}

function blockTheLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

function recurse(depth: number, milliseconds: number): void {
  if (depth > 0) recurse(depth - 1, milliseconds)
  else blockTheLoop(milliseconds)
}

/** Dumps while the main thread is blocked: again if the pause came before the block, which is not known before. */
async function dumpDuring(dump: () => Promise<ThreadDumpOutput>, block: () => void): Promise<ThreadDumpOutput> {
  for (;;) {
    const pending = dump()
    // Until the request has been sent.
    await setImmediate()
    block()
    const output = await pending
    if (
      output.threads[0]?.frames.some(
        ({ functionName }) => functionName === 'recurse' || functionName === 'blockTheLoop',
      )
    ) {
      return output
    }
  }
}

describe('a thread dump', () => {
  it('has the stacks of worker threads that never yield, and tells idle ones from those in native code', async () => {
    const dump = start()
    await burner()
    await startWorker(
      'function hold() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }; hold()',
      'holder',
    )
    await startWorker('setInterval(() => {}, 100_000)', 'idler')
    await startWorker("require('node:child_process').execSync('sleep 6')", 'caller')
    const { threads } = await dump()
    expect(threads.map(({ id }) => id)).toEqual(
      [...threads.keys()].map((at) => threads[at]?.id).sort((a = 0, b = 0) => a - b),
    )
    expect(threads.slice(1).map(outline)).toEqual([
      { name: 'worker n burner', activity: 'running', innermost: 'burn' },
      { name: 'worker n holder', activity: 'running', innermost: 'hold' },
      { name: 'worker n idler', activity: 'idle', innermost: undefined },
      { name: 'worker n caller', activity: 'native', innermost: undefined },
    ])
  })

  it('has the stack of the main thread while it is blocked, and of a worker thread at the same time', async () => {
    const dump = start()
    await burner()
    await dump()
    const { threads } = await dumpDuring(dump, () => blockTheLoop(2_000))
    expect(threads.map(outline)).toMatchObject([{ name: 'main', activity: 'running' }, { innermost: 'burn' }])
    expect(threads[0]?.frames.find(({ functionName }) => functionName === 'blockTheLoop')).toMatchObject({
      url: expect.stringMatching(/thread-dump\.test\.ts$/),
    })
  })

  it('has at most 256 calls of a stack', async () => {
    const dump = start()
    await dump()
    const { threads } = await dumpDuring(dump, () => recurse(3_000, 2_000))
    expect(threads[0]?.frames).toHaveLength(256)
    expect(threads[0]?.frames.at(-1)).toMatchObject({ functionName: 'recurse' })
  })

  it('is shared by callers at the same time', async () => {
    const dump = start()
    await burner()
    const dumps = await Promise.all([dump(), dump(), dump()])
    expect(dumps[1]).toEqual(dumps[0])
    expect(dumps[2]).toEqual(dumps[0])
  })

  it('goes on when a caller leaves, and when a thread ends meanwhile', async () => {
    const diagnostics = createDiagnostics(vi.fn())
    onTestFinished(() => diagnostics.close())
    await diagnostics.run('threaddump', {}, never)
    const worker = await startWorker("require('node:child_process').execSync('sleep 1')", 'ending')
    const controller = new AbortController()
    const left = diagnostics.run('threaddump', {}, controller.signal)
    const stayed = diagnostics.run('threaddump', {}, never)
    controller.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    const ended = once(worker, 'exit')
    expect((await stayed).threads[0]).toMatchObject({ id: 0, name: 'main' })
    await ended
    expect((await diagnostics.run('threaddump', {}, never)).threads.map(outline)).toMatchObject([{ name: 'main' }])
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

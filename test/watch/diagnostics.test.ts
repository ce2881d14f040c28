import { once } from 'node:events'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import { createManagement } from 'upkeep'
import { watchdog } from 'upkeep/node'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { InputOf } from '../../src/watch/diagnostics/diagnostic-operation.ts'
import { createDiagnostics, type Diagnostics } from '../../src/watch/diagnostics/diagnostics.ts'
import { eventually } from '../support/eventually.ts'

const never = new AbortController().signal

const input: InputOf<'profile'> = {
  ...{ type: 'wall', format: 'cpuprofile', seconds: 0.1, intervalMilliseconds: 1, samplingBytes: 32_768 },
  ...{ separateFunctions: true, thread: undefined, nonce: '' },
}

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('diagnostics', () => {
  const open: Diagnostics[] = []
  afterEach(() => {
    for (const each of open.splice(0)) each.close()
  })

  function start() {
    const diagnostics = createDiagnostics(vi.fn())
    open.push(diagnostics)
    return diagnostics
  }

  const namesOf = ({ bytes }: { readonly bytes: Uint8Array }): readonly string[] =>
    JSON.parse(Buffer.from(bytes).toString()).nodes.map(
      ({ callFrame }: { callFrame: { functionName: string } }) => callFrame.functionName,
    )

  it('profiles the main thread in a thread of its own', async () => {
    const diagnostics = start()
    const timer = setInterval(spin, 20, 15)
    onTestFinished(() => clearInterval(timer))
    await eventually(async () => expect(namesOf(await diagnostics.run('profile', input, never))).toContain('spin'))
  })

  it('profiles a worker thread that never yields, and not itself', async () => {
    const program = "function burn() { require('node:worker_threads').parentPort.postMessage('burns'); for (;;); }"
    const worker = new Worker(`${program}; burn()`, { eval: true })
    onTestFinished(async () => void (await worker.terminate()))
    const diagnostics = start()
    await once(worker, 'message')
    const profile = () => diagnostics.run('profile', { ...input, thread: String(worker.threadId) }, never)
    await eventually(async () => expect(namesOf(await profile())).toContain('burn'))
  })

  it('rejects a second profile with 409 and the time when the first ends', async () => {
    const diagnostics = start()
    const first = diagnostics.run('profile', input, never)
    await expect(diagnostics.run('profile', input, never)).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Another profile is in progress until 20\d\d-.*Z\.$/),
      headers: { 'Retry-After': '1' },
    })
    await first
  })

  it('ends a profile whose caller aborts, and takes the next', async () => {
    const diagnostics = start()
    const controller = new AbortController()
    const first = diagnostics.run('profile', { ...input, seconds: 300 }, controller.signal)
    const rejected = expect(first).rejects.toThrow('gone')
    await expect(diagnostics.run('profile', input, never)).rejects.toMatchObject({ status: 409 })
    controller.abort(new Error('gone'))
    await rejected
    await eventually(() => diagnostics.run('profile', input, never))
  })

  it('rejects with 404 for a thread that does not exist', async () => {
    await expect(start().run('profile', { ...input, thread: '99' }, never)).rejects.toMatchObject({ status: 404 })
  })

  it('uses the thread of a watchdog, and one of its own when that has ended', async () => {
    const diagnostics = start()
    const attach = vi.spyOn(diagnostics, 'attach')
    const management = createManagement()
    const dog = await watchdog({ ...management, diagnostics }, { port: 0 })
    expect(attach).toHaveBeenCalledTimes(1)
    const running = diagnostics.run('profile', { ...input, seconds: 300 }, never)
    const rejected = expect(running).rejects.toMatchObject({ status: 503 })
    await dog.close()
    await rejected
    expect(namesOf(await diagnostics.run('profile', input, never))).toContain('(root)')
  })

  it('enables inlining again when its thread ends during a profile', async () => {
    const diagnostics = start()
    const dog = await watchdog({ ...createManagement(), diagnostics }, { port: 0 })
    const running = diagnostics.run('profile', { ...input, seconds: 300 }, never)
    const rejected = expect(running).rejects.toMatchObject({ status: 503 })
    await expect(diagnostics.run('profile', input, never)).rejects.toMatchObject({ status: 409 })
    const setFlags = vi.spyOn(v8, 'setFlagsFromString')
    onTestFinished(() => setFlags.mockRestore())
    await dog.close()
    await rejected
    expect(setFlags.mock.calls).toEqual([['--turbo-inlining'], ['--maglev-inlining']])
  })
})

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { attachDebugger } from '../support/debugger-client.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

interface RecordedProfile {
  readonly profile: { readonly samples: readonly unknown[]; readonly head: object }
}

describe('a process with a debugger', () => {
  async function start() {
    const service = await startService({ stall: '60s', flags: ['--inspect=127.0.0.1:0'] })
    const line = await service.child.err.line(/^Debugger listening on ws:/)
    const debug = await attachDebugger(line.slice(line.indexOf('ws:')))
    onTestFinished(() => debug.close())
    return { service, debug }
  }

  it('is profiled while the debugger profiles it, too, and both have their profile', async () => {
    const { service, debug } = await start()
    await debug.post('Profiler.enable')
    await debug.post('Profiler.start')
    const { status, body } = await service.send('profile?seconds=0.5&format=cpuprofile')
    expect(status, body).toBe(200)
    expect(JSON.parse(body).samples.length).toBeGreaterThan(0)
    const { profile } = await debug.post<RecordedProfile>('Profiler.stop')
    expect(profile.samples.length).toBeGreaterThan(0)
    expect(await service.send('profile?seconds=0.1')).toMatchObject({ status: 200 })
  })

  it('is not resumed by a profile or a thread dump when the debugger has paused it', async () => {
    const { service, debug } = await start()
    await debug.post('Debugger.enable')
    const paused = debug.next('Debugger.paused')
    await debug.post('Debugger.pause')
    // An idle thread pauses when it executes JavaScript again.
    const dump = service.send('threaddump')
    await paused
    const { status } = await service.sendWatchdog('profile?seconds=0.5&format=folded')
    expect(status).toBe(200)
    expect(debug.events).not.toContain('Debugger.resumed')
    await debug.post('Debugger.resume')
    expect(await dump).toMatchObject({ status: 200 })
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })

  it('refuses a heap profile with 409 while the debugger records one, which goes on', async () => {
    const { service, debug } = await start()
    await debug.post('HeapProfiler.enable')
    await debug.post('HeapProfiler.startSampling', { samplingInterval: 1_024 })
    const { status, body, headers } = await service.send('profile?seconds=0.2&type=heap')
    expect([status, JSON.parse(body).detail, headers['retry-after']]).toEqual([
      409,
      'A heap profile of a debugger, or of the application, is in progress: V8 records one at a time.',
      '10',
    ])
    expect(await service.send('profile?seconds=0.1')).toMatchObject({ status: 200 })
    expect(await debug.post('HeapProfiler.stopSampling')).toMatchObject({ profile: { head: expect.any(Object) } })
    expect(await service.send('profile?seconds=0.1&type=heap')).toMatchObject({ status: 200 })
  })

  it('responds with 409 when the debugger ends the heap profile', async () => {
    const { service, debug } = await start()
    const profile = service.send('profile?seconds=5&type=heap')
    await debug.post('HeapProfiler.enable')
    await eventually(() => debug.post('HeapProfiler.stopSampling'))
    const { status, body } = await profile
    expect([status, JSON.parse(body).detail]).toEqual([
      409,
      'A debugger, or the application, has ended the heap profile: V8 records one at a time.',
    ])
    expect(await service.send('profile?seconds=0.1&type=heap')).toMatchObject({ status: 200 })
  })

  it('is dumped while the debugger has paused a worker thread, which is left out', async () => {
    const service = await startService({ flags: ['--inspect=127.0.0.1:0'], burns: true })
    const line = await service.child.err.line(/^Debugger listening on ws:/)
    const debug = await attachDebugger(line.slice(line.indexOf('ws:')))
    onTestFinished(() => debug.close())
    const attached = debug.next('NodeWorker.attachedToWorker') as Promise<{ readonly sessionId: string }>
    await debug.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    const { sessionId } = await attached
    for (const [id, method] of ['Debugger.enable', 'Debugger.pause'].entries())
      await debug.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) })
    const messages = () => debug.events.filter((event) => event === 'NodeWorker.receivedMessageFromWorker').length
    await expect.poll(messages).toBeGreaterThan(3)
    const { status, body } = await service.send('threaddump', 'application/json')
    expect(status).toBe(200)
    expect(JSON.parse(body).threads).toMatchObject([{ threadName: 'main', threadState: 'RUNNABLE' }])
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })

  it('is dumped, and the debugger stays attached', async () => {
    const { service, debug } = await start()
    expect(await service.send('heapdump')).toMatchObject({ status: 200 })
    expect(await service.send('threaddump')).toMatchObject({ status: 200 })
    expect(await debug.post('Runtime.evaluate', { expression: '1 + 1' })).toMatchObject({ result: { value: 2 } })
  })
})

describe('a process with a thread that has enabled the debugger of the main thread', () => {
  async function start() {
    const service = await startService({ stall: '1s' })
    service.child.writeInput('inspect\n')
    await service.child.out.line(/^inspects$/)
    return service
  }

  it('continues after a thread dump', async () => {
    const service = await start()
    for (let dumps = 0; dumps < 3; dumps++) expect(await service.send('threaddump')).toMatchObject({ status: 200 })
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })

  it('continues after the watchdog has read the stack that blocks it', async () => {
    const service = await start()
    const release = await service.loop()
    expect(await service.child.err.line(/loopForever/)).toContain('at loopForever')
    await release()
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })
})

describe('a process that profiles itself', () => {
  it('is profiled, too, and goes on with its own profile', async () => {
    const { child, send } = await startService({})
    child.writeInput('sample\n')
    await child.out.line(/^begins sample$/)
    expect(await send('profile?seconds=0.5')).toMatchObject({ status: 200 })
    expect(await send('threaddump')).toMatchObject({ status: 200 })
    child.writeInput('stop\n')
    const samples = Number((await child.out.line(/^samples /)).slice('samples '.length))
    expect(samples).toBeGreaterThan(0)
    expect(await send('health')).toMatchObject({ status: 200 })
  })
})

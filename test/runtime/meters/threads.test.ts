import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindThreadStateMeters, parseThreadState } from '../../../src/runtime/meters/thread-states.ts'
import { bindThreadMeters } from '../../../src/runtime/meters/threads.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

const isReported = existsSync('/proc/self/status')

/** Starts a worker, and returns how to end it. */
async function startWorker(): Promise<() => Promise<unknown>> {
  const worker = new Worker('setInterval(() => {}, 1e6)', { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  await new Promise((resolve) => worker.once('online', resolve))
  return () => worker.terminate()
}

function bindThreads() {
  const { clock, gauges, ...rest } = bindRuntimeMeters(bindThreadMeters)
  const read = (name: string) => {
    clock.advance(100)
    return gauges(name)[''] ?? Number.NaN
  }
  const threads = () => ({
    live: read('jvm.threads.live'),
    daemon: read('jvm.threads.daemon'),
    peak: read('jvm.threads.peak'),
    started: read('jvm.threads.started'),
  })
  return { ...rest, read, threads }
}

describe('bindThreadMeters and bindThreadStateMeters', () => {
  it.each([[bindThreadMeters], [bindThreadStateMeters]])(
    '%o registers meters only if the system reports them',
    (bind) => {
      expect(bindRuntimeMeters(bind).meters.names().length > 0).toBe(isReported)
    },
  )
})

describe.runIf(isReported)('bindThreadMeters', () => {
  it('has the unit of threads, and the prefix', () => {
    const { meters, snapshots } = bindRuntimeMeters(bindThreadMeters, { prefix: 'nodejs.' })
    expect(meters.names()).toEqual([
      ...['daemon', 'live', 'peak', 'started'].map((name) => `nodejs.threads.${name}`),
      'process.threads',
    ])
    for (const name of meters.names()) expect(snapshots(name)[0]?.id.baseUnit).toBe('threads')
    expect(snapshots('nodejs.threads.started')[0]?.kind).toBe('counter')
  })

  it('counts workers that start and end, and no worker as a thread of V8 or libuv', async () => {
    const { threads, read } = bindThreads()
    const before = threads()
    expect(before.live).toBeGreaterThan(1)
    expect(before).toEqual({ live: before.live, daemon: before.daemon, peak: before.live, started: before.live })
    expect(read('process.threads')).toBe(before.live)

    const end = await startWorker()
    const during = threads()
    expect(during.live).toBeGreaterThan(before.live)
    expect(during.daemon).toBe(before.daemon + during.live - before.live - 1)
    expect(during).toMatchObject({ peak: during.live, started: during.live })

    await end()
    const after = threads()
    expect(after).toMatchObject({ peak: during.live, daemon: before.daemon + after.live - before.live })
    // One by the worker, which has ended; further ones by the runtime, which may start threads when it needs them.
    expect(after.started).toBe(Math.max(during.started, after.live + 1))
  })

  it('has a peak that no scrape has seen', async () => {
    const { threads, read } = bindThreads()
    const before = threads()
    const end = await startWorker()
    await end()
    expect(read('jvm.threads.peak')).toBeGreaterThan(before.live)
  })

  it('counts no worker after disposal', async () => {
    const { read, dispose } = bindThreads()
    dispose()
    const before = { live: read('jvm.threads.live'), daemon: read('jvm.threads.daemon') }
    const end = await startWorker()
    const started = read('jvm.threads.live') - before.live
    expect(read('jvm.threads.daemon')).toBe(before.daemon + started)
    await end()
  })
})

describe.runIf(isReported)('bindThreadStateMeters', () => {
  it('counts the threads by state, of which this one runs', () => {
    const { gauges, snapshots } = bindRuntimeMeters(bindThreadStateMeters)
    const states = gauges('jvm.threads.states')
    expect(Object.keys(states).sort()).toEqual(
      ['blocked', 'runnable', 'terminated', 'waiting'].map((state) => `state=${state}`),
    )
    expect(states['state=runnable']).toBeGreaterThanOrEqual(1)
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1)
    expect(snapshots('jvm.threads.states')[0]?.id.baseUnit).toBe('threads')
  })
})

describe('parseThreadState', () => {
  it.each([
    ['7 (node) R 1 7', 'runnable'],
    ['7 (node) S 1 7', 'waiting'],
    ['7 (node) I 1 7', 'waiting'],
    ['7 (node) D 1 7', 'blocked'],
    ['7 (node) Z 1 7', 'terminated'],
    ['7 (node) X 1 7', 'terminated'],
    ['7 (a) R (b) S 1 7', 'waiting'],
    ['', 'waiting'],
  ])('of %j is %s', (text, state) => {
    expect(parseThreadState(text)).toBe(state)
  })
})

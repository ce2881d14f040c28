import { executorMeters, type WorkerPool } from 'upkeep/instrumentation'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pool as createWorkerpool } from 'workerpool'
import { deferred } from '../../support/deferred.ts'

function measure(executor: WorkerPool) {
  const meters = createMeterRegistry()
  const stop = executorMeters(meters, 'thumbnails', executor)
  const values = () =>
    Object.fromEntries(
      [...meters.snapshot()].map((meter) => [
        meter.id.name.slice('executor.'.length),
        'value' in meter ? meter.value : Number.NaN,
      ]),
    )
  return { meters, values, stop }
}

describe('a pool of workerpool', () => {
  it('measures workers, waiting and completed tasks', async () => {
    const pool = createWorkerpool({ maxWorkers: 2, maxQueueSize: 10, workerType: 'thread' })
    onTestFinished(async () => void (await pool.terminate(true)))
    const { values, stop } = measure(pool)
    expect(values()).toEqual({
      ...{ active: 0, 'pool.size': 0, 'pool.core': 0, 'pool.max': 2 },
      ...{ queued: 0, 'queue.remaining': 10, completed: 0 },
    })
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const wait = (cells: Int32Array) => void Atomics.wait(cells, 0, 0)
    const tasks = [1, 2, 3].map(() => pool.exec(wait, [gate]))
    expect(values()).toMatchObject({ active: 2, 'pool.size': 2, queued: 1, 'queue.remaining': 9, completed: 0 })

    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
    await Promise.all(tasks)
    await expect(pool.exec('missing')).rejects.toThrow('missing')
    expect(values()).toMatchObject({ active: 0, queued: 0, completed: 4 })
    stop()
    expect(values()).toEqual({})
    expect(Object.hasOwn(pool, 'exec')).toBe(false)
  })

  it('has no limit of waiting tasks by default', async () => {
    const pool = createWorkerpool({ minWorkers: 1, maxWorkers: 1, workerType: 'thread' })
    onTestFinished(async () => void (await pool.terminate(true)))
    expect(measure(pool).values()).toMatchObject({
      'pool.core': 1,
      'pool.size': 1,
      'queue.remaining': Number.POSITIVE_INFINITY,
    })
  })
})

/** What piscina 5 and tinypool 2 have in common, with one thread and tasks that the test ends. */
function createPiscina() {
  const ends: (() => void)[] = []
  const pool = {
    threads: [{}],
    queueSize: 0,
    completed: 0,
    options: { minThreads: 1, maxThreads: 4, maxQueue: 8 },
    run(task: { readonly fails: boolean }): Promise<string> {
      const { promise, resolve } = deferred()
      if (ends.length >= pool.threads.length) pool.queueSize += 1
      ends.push(resolve)
      return promise.then(() => {
        pool.completed += 1
        if (pool.queueSize > 0) pool.queueSize -= 1
        if (task.fails) throw new Error('bad picture')
        return 'done'
      })
    },
  }
  return { pool, end: () => ends.shift()?.() }
}

describe('a pool of piscina', () => {
  it('measures threads, waiting and completed tasks', async () => {
    const { pool, end } = createPiscina()
    const { values, stop } = measure(pool)
    const first = pool.run({ fails: false })
    const second = pool.run({ fails: true })
    expect(values()).toEqual({
      ...{ active: 1, 'pool.size': 1, 'pool.core': 1, 'pool.max': 4 },
      ...{ queued: 1, 'queue.remaining': 7, completed: 0 },
    })
    end()
    await expect(first).resolves.toBe('done')
    expect(values()).toMatchObject({ active: 1, queued: 0, completed: 1 })
    end()
    await expect(second).rejects.toThrow('bad picture')
    expect(values()).toMatchObject({ active: 0, completed: 2 })
    stop()
    expect(values()).toEqual({})
  })
})

describe('executorMeters', () => {
  it("has Micrometer's names, tags and units", () => {
    const { meters } = measure(createPiscina().pool)
    const described = [...meters.snapshot()].map(({ id, kind }) => [
      id.name,
      kind,
      id.tags.map(({ key, value }) => `${key}=${value}`).join(),
      id.baseUnit,
    ])
    expect(described).toEqual([
      ['executor.active', 'gauge', 'name=thumbnails', 'threads'],
      ['executor.completed', 'counter', 'name=thumbnails', 'tasks'],
      ['executor.pool.core', 'gauge', 'name=thumbnails', 'threads'],
      ['executor.pool.max', 'gauge', 'name=thumbnails', 'threads'],
      ['executor.pool.size', 'gauge', 'name=thumbnails', 'threads'],
      ['executor.queue.remaining', 'gauge', 'name=thumbnails', 'tasks'],
      ['executor.queued', 'gauge', 'name=thumbnails', 'tasks'],
    ])
  })

  it.each([[{}], [null], ['pool'], [new Map()]])('rejects %j, which is not a supported pool', (pool) => {
    expect(() => executorMeters(createMeterRegistry(), 'a', pool as never)).toThrow(
      new TypeError('executorMeters: executor: expected a pool of piscina, tinypool or workerpool'),
    )
  })

  it('rejects an empty name', () => {
    expect(() => executorMeters(createMeterRegistry(), '', createPiscina().pool)).toThrow(
      new TypeError('executorMeters: name: expected a non-empty string'),
    )
  })
})

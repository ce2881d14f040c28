import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { createManagement } from 'upkeep'
import { queueMeters } from 'upkeep/instrumentation'
import type { SnapshotSource } from 'upkeep/metrics'
import { expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeServer } from '../../support/describe-server.ts'
import { fixedClock } from '../../support/fixed-clock.ts'
import { findProgram } from '../../support/programs.ts'
import { scrape } from '../../support/scrape.ts'
import { startRedis } from '../../support/start-redis.ts'
import { seriesTags } from '../../support/timed-operations.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { bullmqVersions } from './bullmq-versions.ts'

const install = 'apt-get install redis-server'

function createMetered() {
  const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false } })
  onTestFinished(() => management.close())
  return management
}

/** Returns the gauges of a queue: the jobs by state, except states without any, and the age of the oldest. */
async function readQueue(meters: SnapshotSource) {
  await meters.refresh?.()
  const jobs = [...meters.snapshot('bullmq.queue.jobs')].flatMap((one) =>
    one.kind === 'gauge' && one.value !== 0 ? [[seriesTags(one)['state'], one.value] as const] : [],
  )
  const [age] = meters.snapshot('bullmq.queue.oldest.age')
  return { jobs: Object.fromEntries(jobs), age: age?.kind === 'gauge' ? age.value : undefined }
}

describeServer({ name: 'Redis', program: findProgram('redis-server'), install, start: startRedis }, (server) => {
  const createQueue = (library = { Queue }) => {
    const queue = new library.Queue(uniqueName('upkeep-test'), {
      connection: { host: '127.0.0.1', port: server().port },
    })
    queue.on('error', () => {})
    onTestFinished(() => queue.close())
    return queue
  }

  it('the jobs of a queue are gauges by state, read when the meters are', async () => {
    const { meters } = createMetered()
    const queue = createQueue()
    await queue.addBulk([
      ...['a', 'b'].map((name) => ({ name, data: {} })),
      { name: 'important', data: {}, opts: { priority: 3 } },
      { name: 'later', data: {}, opts: { delay: 60_000 } },
    ])
    const stop = queueMeters(meters, queue)
    const { jobs, age } = await readQueue(meters)
    expect(jobs).toEqual({ waiting: 2, prioritized: 1, delayed: 1 })
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(60)
    stop()
    expect([...meters.snapshot('bullmq.queue.jobs'), ...meters.snapshot('bullmq.queue.oldest.age')]).toEqual([])
  })

  it('the states of processed jobs are gauges, too', async () => {
    const { meters } = createMetered()
    const queue = createQueue()
    const held = deferred<void>()
    const process = async ({ name }: { name: string }) => {
      if (name === 'bad') throw new Error('bad')
      if (name === 'held') await held.promise
    }
    const connection = { host: '127.0.0.1', port: server().port }
    const worker = new Worker(queue.name, process, { connection, concurrency: 4 })
    onTestFinished(async () => {
      held.resolve()
      await worker.close()
    })
    let done = 0
    for (const event of ['completed', 'failed'] as const) worker.on(event, () => void done++)
    await queue.addBulk(['good', 'good', 'bad', 'held'].map((name) => ({ name, data: {} })))
    await expect.poll(() => done).toBe(3)
    await expect.poll(() => queue.getActiveCount()).toBe(1)
    queueMeters(meters, queue)
    expect(await readQueue(meters)).toEqual({ jobs: { completed: 2, failed: 1, active: 1 }, age: 0 })
  })

  it.each(bullmqVersions)(
    'the waiting jobs of a paused queue are waiting, and grow older (BullMQ %d)',
    async (_, library) => {
      const { meters } = createMetered()
      const queue = createQueue(library)
      const clock = fixedClock(1_700_000_000_000)
      await queue.add('first', {}, { timestamp: clock.wallTime() - 30_000 })
      await queue.pause()
      await queue.add('second', {}, { timestamp: clock.wallTime() - 10_000 })
      queueMeters(meters, queue, { clock })
      expect(await readQueue(meters)).toEqual({ jobs: { waiting: 2 }, age: 30 })
    },
  )

  it.each(bullmqVersions)(
    'the age is that of the oldest of jobs that are added in front (BullMQ %d)',
    async (_, library) => {
      const { meters } = createMetered()
      const queue = createQueue(library)
      const clock = fixedClock(1_700_000_000_000)
      for (const seconds of [30, 20, 10]) {
        await queue.add('job', {}, { timestamp: clock.wallTime() - seconds * 1_000, lifo: true })
      }
      queueMeters(meters, queue, { clock })
      expect(await readQueue(meters)).toEqual({ jobs: { waiting: 3 }, age: 30 })
    },
  )

  it.each(bullmqVersions)('a job that cannot be read hides the age, and no counts (BullMQ %d)', async (_, library) => {
    const { meters } = createMetered()
    const queue = createQueue(library)
    const { id = '' } = await queue.add('job', {})
    const redis = new Redis(server().port, '127.0.0.1')
    await redis.hset(queue.toKey(id), 'data', '{')
    redis.disconnect()
    queueMeters(meters, queue)
    expect(await readQueue(meters)).toEqual({ jobs: { waiting: 1 }, age: Number.NaN })
  })

  it('the age is that of the job which is ready for the longest time', async () => {
    const now = 1_700_000_000_000
    const clock = fixedClock(now)
    const { meters } = createMetered()
    const queue = createQueue()
    await queue.add('first', {}, { timestamp: now - 30_000 })
    await queue.add('second', {}, { timestamp: now - 10_000 })
    await queue.add('important', {}, { timestamp: now - 20_000, priority: 1 })
    queueMeters(meters, queue, { clock })
    expect(await readQueue(meters)).toMatchObject({ age: 30 })
    // The age advances between two readings of the queue.
    clock.set(now + 500)
    expect(await readQueue(meters)).toMatchObject({ age: 30.5 })
  })
})

describeServer(
  { name: 'Redis that fails', program: findProgram('redis-server'), install, start: startRedis },
  (server) => {
    it.each([
      ['hangs', async () => server().freeze(), async () => server().thaw()],
      ['is away', () => server().kill(), () => server().start()],
    ])('while Redis %s a scrape has no values, and one request is pending', async (_, fail, recover) => {
      const management = createMetered()
      const queue = new Queue(uniqueName('upkeep-test'), { connection: { host: '127.0.0.1', port: server().port } })
      queue.on('error', () => {})
      onTestFinished(() => queue.close())
      await queue.add('a', {})
      let requests = 0
      const counted = {
        name: queue.name,
        getJobCounts: (...states: Parameters<typeof queue.getJobCounts>) => {
          requests++
          return queue.getJobCounts(...states)
        },
        getJobs: queue.getJobs.bind(queue),
      }
      const clock = fixedClock(Date.now())
      queueMeters(management.meters, counted, { clock })
      const waiting = async () => {
        clock.set(clock.monotonicTime() + 60_000)
        const { text } = await scrape(management)
        return /bullmq_queue_jobs\{.*state="waiting"\} (\S+)/.exec(text)?.[1]
      }
      await expect.poll(waiting).toBe('1')

      await fail()
      const before = requests
      for (let times = 0; times < 20; times++) expect(await waiting()).toBe('NaN')
      expect(requests - before).toBe(1)
      await recover()
      await expect.poll(waiting, { timeout: 10_000 }).toMatch(/^\d+$/)
    })
  },
)

it('a job that is removed while the queue is read has no age', async () => {
  const { meters } = createMetered()
  queueMeters(meters, { name: 'mail', getJobCounts: async () => ({ waiting: 1 }), getJobs: async () => [undefined] })
  expect(await readQueue(meters)).toMatchObject({ jobs: { waiting: 1 }, age: 0 })
})

it.each([undefined, 'mail', {}])('queueMeters rejects %o', (queue) => {
  const { meters } = createMetered()
  expect(() => queueMeters(meters, queue as never)).toThrow('queueMeters: queue: expected a queue of BullMQ, received')
})

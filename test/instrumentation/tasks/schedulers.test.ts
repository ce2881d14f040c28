import { Cron } from 'croner'
import cron from 'node-cron'
import { gracefulShutdown, type Job, scheduleJob } from 'node-schedule'
import { createScheduledTasks, type ScheduledTasks, type SchedulerJob } from 'upkeep/instrumentation'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../../support/deferred.ts'

/** Stops the time of a test, which `pass` advances. Schedulers compute their runs from it. */
function stopTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: Date.UTC(2026, 0, 1),
  })
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A job of a scheduler that runs each second. */
interface Started {
  readonly job: SchedulerJob
  readonly stop: () => unknown
}

const everySecond = '* * * * * *'

const schedulers: Readonly<Record<string, (name: string | undefined, work: () => void) => Started>> = {
  'node-cron': (name, work) => {
    const logger = { info() {}, warn() {}, error() {}, debug() {} }
    const job = cron.schedule(everySecond, work, { ...(name !== undefined && { name }), logger })
    return { job, stop: () => job.destroy() }
  },
  croner: (name, work) => {
    const job = new Cron(everySecond, { ...(name !== undefined && { name }), catch: true }, () => void work())
    return { job, stop: () => job.stop() }
  },
  'node-schedule': (name, work) => {
    const job = name === undefined ? scheduleJob(everySecond, work) : scheduleJob(name, everySecond, work)
    job.on('error', () => {})
    return { job, stop: () => job.cancel() }
  },
}

const readTask = async (tasks: ScheduledTasks) => (await tasks.read())[0]

describe.each(Object.entries(schedulers))('a job of %s', (scheduler, start) => {
  beforeEach(stopTime)
  afterEach(() => void vi.useRealTimers())
  afterAll(() => gracefulShutdown())

  it('is shown with its expression, its next run and the outcome of its last run', async () => {
    const tasks = createScheduledTasks()
    const { job, stop } = start(`reports.${scheduler}`, () => {})
    onTestFinished(() => void stop())
    tasks.add(job)
    const before = await readTask(tasks)
    expect(before).toMatchObject({ name: `reports.${scheduler}`, trigger: { kind: 'cron', expression: everySecond } })
    expect(before?.nextExecution).toBe(Date.now() + 1_000)
    await pass(1_100)
    expect(await readTask(tasks)).toMatchObject({ running: 0, lastExecution: { status: 'SUCCESS' } })
  })

  it('is shown with the error of a run', async () => {
    const tasks = createScheduledTasks()
    const { job, stop } = start('failing', () => {
      throw new RangeError('full')
    })
    onTestFinished(() => void stop())
    tasks.add(job)
    await pass(1_100)
    const exception = { type: 'RangeError', message: 'full' }
    expect(await readTask(tasks)).toMatchObject({ lastExecution: { status: 'ERROR', exception } })
  })

  it('has no next run once it is stopped', async () => {
    const tasks = createScheduledTasks()
    const { job, stop } = start('stopped', () => {})
    tasks.add(job)
    await stop()
    expect(await readTask(tasks)).toMatchObject({ nextExecution: undefined, isLate: false })
  })

  it('requires a name if the job has none, and is removed by the unsubscribe function', async () => {
    const tasks = createScheduledTasks()
    const { job, stop } = start(undefined, () => {})
    onTestFinished(() => void stop())
    const isNamed = scheduler === 'node-cron'
    if (!isNamed) {
      expect(() => tasks.add(job)).toThrow('scheduledTasks: name: expected a non-empty string, received undefined')
    }
    const remove = tasks.add(job, { name: 'poll' })
    expect(await readTask(tasks)).toMatchObject({ name: 'poll' })
    remove()
    expect(await tasks.read()).toEqual([])
  })
})

describe.each<[scheduler: string, start: (date: Date, work: () => Promise<unknown>) => SchedulerJob]>([
  ['node-schedule', (date, work) => scheduleJob(date, async () => work()).on('error', () => {}) as Job],
  ['croner', (date, work) => new Cron(date, { catch: true }, async () => void (await work()))],
])('a job of %s for one date', (_scheduler, start) => {
  beforeEach(stopTime)
  afterEach(() => void vi.useRealTimers())

  it('is shown until its run has ended, and then removed', async () => {
    const tasks = createScheduledTasks()
    const { promise, resolve } = deferred()
    const job = start(new Date(Date.now() + 1_000), () => promise)
    tasks.add(job, { name: 'once' })
    expect(await readTask(tasks)).toMatchObject({ name: 'once', trigger: { kind: 'custom' }, running: 0 })
    await pass(1_100)
    expect(await readTask(tasks)).toMatchObject({ running: 1 })
    const method = 'invoke' in job ? 'invoke' : 'fn'
    const observed: unknown = Reflect.get(job, method)
    resolve()
    await pass(0)
    expect(Reflect.get(job, method)).not.toBe(observed)
    expect(await tasks.read()).toEqual([])
  })

  it('is removed if its run fails', async () => {
    const tasks = createScheduledTasks()
    const job = start(new Date(Date.now() + 500), () => Promise.reject(new Error('full')))
    tasks.add(job, { name: 'once' })
    await pass(600)
    expect(await tasks.read()).toEqual([])
  })
})

describe('a job of node-schedule for one date', () => {
  beforeEach(stopTime)
  afterEach(() => void vi.useRealTimers())

  it('is removed when it is cancelled, and stays if it runs before its date or is rescheduled by its run', async () => {
    const tasks = createScheduledTasks()
    const later = new Date(Date.now() + 3_600_000)
    const cancelled = scheduleJob('cancelled', later, () => {})
    const early = scheduleJob('early', later, () => {})
    const again = scheduleJob('again', new Date(Date.now() + 500), () => void again.reschedule(later.getTime()))
    onTestFinished(() => void [early, again].map((job) => job.cancel()))
    for (const job of [cancelled, early, again]) tasks.add(job)
    cancelled.cancel()
    early.invoke()
    await pass(600)
    const states = await tasks.read()
    expect(states.map(({ name, lastExecution }) => `${name} ${lastExecution?.status}`)).toEqual([
      'again SUCCESS',
      'early SUCCESS',
    ])
  })
})

describe('a paused job of croner', () => {
  it('is not late when it is resumed', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const tasks = createScheduledTasks({ lateAfter: '10s' })
    const job = new Cron('0 * * * * *', { name: 'paused' }, () => {})
    onTestFinished(() => job.stop())
    tasks.add(job)
    job.pause()
    vi.setSystemTime(Date.now() + 600_000)
    job.resume()
    expect(await readTask(tasks)).toMatchObject({ isLate: false })
  })

  it('cannot be added before it has a function', () => {
    const job = new Cron('0 * * * * *', { name: 'empty' })
    onTestFinished(() => job.stop())
    expect(() => createScheduledTasks().add(job)).toThrow('expected a job of croner with a function')
  })
})

describe('anything else', () => {
  it.each([
    [5, '5'],
    [null, 'null'],
    [{}, 'an object'],
  ])('%j is rejected', (job, received) => {
    expect(() => createScheduledTasks().add(job as never)).toThrow(
      'scheduledTasks.add: job: expected a job of node-cron, croner or node-schedule, or a queue of BullMQ, ' +
        `received ${received}`,
    )
  })
})

it('a queue of BullMQ keeps its tasks while Redis cannot be read, and reports that once', async () => {
  const reports: unknown[] = []
  const tasks = createScheduledTasks({ report: (message) => reports.push(message) })
  let isAway = false
  const getJobSchedulers = async () => {
    if (isAway) throw new Error('connect ECONNREFUSED')
    return [{ key: 'digest', every: 1_000, next: Date.now() }]
  }
  tasks.add({ name: 'mails', getJobSchedulers })
  expect(await tasks.read()).toMatchObject([{ name: 'mails.digest' }])
  isAway = true
  expect(await tasks.read()).toMatchObject([{ name: 'mails.digest' }])
  await tasks.read()
  expect(reports).toEqual(['the job schedulers of mails cannot be read'])
})

import { createScheduledTasks, type TaskTrigger } from 'upkeep/instrumentation'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function setUp() {
  const clock = createManualClock()
  const meters = createMeterRegistry({ clock })
  const tasks = createScheduledTasks({ clock, lateAfter: '10s' })
  tasks.measure(meters)
  const readTask = async () => (await tasks.read())[0]
  return { clock, meters, tasks, readTask }
}

describe('a function that schedule wraps', () => {
  it('returns what the task returns, with its arguments and its this', async () => {
    const { tasks } = setUp()
    const owner = {
      factor: 2,
      double: tasks.schedule('double', function (this: { factor: number }, value: number) {
        return value * this.factor
      }),
    }
    expect(owner.double(21)).toBe(42)
    expect(await tasks.schedule('later', async (text: string) => text)('done')).toBe('done')
  })

  it('records the outcome and the duration of a run until its promise settles', async () => {
    const { clock, tasks, readTask } = setUp()
    const work = deferred<void>()
    const run = tasks.schedule('reports.nightly', () => work.promise)
    expect(await readTask()).toMatchObject({ name: 'reports.nightly', running: 0, lastExecution: undefined })
    clock.advance(1_000)
    const running = run()
    expect(await readTask()).toMatchObject({ running: 1, lastExecution: { status: 'STARTED', time: 1_000 } })
    clock.advance(2_500)
    work.resolve()
    await running
    expect(await readTask()).toMatchObject({
      running: 0,
      lastExecution: { status: 'SUCCESS', time: 1_000, seconds: 2.5 },
    })
  })

  it('rethrows the error of a task, and shows it without credentials', async () => {
    const { tasks, readTask } = setUp()
    const run = tasks.schedule('sync', () => {
      throw new RangeError('cannot connect to postgres://app:canary-7f3a@db/orders')
    })
    expect(run).toThrow(RangeError)
    const task = await readTask()
    expect(task?.lastExecution).toMatchObject({ status: 'ERROR', exception: { type: 'RangeError' } })
    expect(JSON.stringify(task)).not.toContain('canary-7f3a')
  })

  it('counts overlapping runs', async () => {
    const { tasks, readTask } = setUp()
    const [first, second] = [deferred<void>(), deferred<void>()]
    const work = [first.promise, second.promise]
    const run = tasks.schedule('poll', () => work.shift())
    const runs = [run(), run()]
    expect(await readTask()).toMatchObject({ running: 2 })
    first.resolve()
    await runs[0]
    expect(await readTask()).toMatchObject({ running: 1 })
    second.resolve()
    await runs[1]
    expect(await readTask()).toMatchObject({ running: 0 })
  })

  it('replaces a task of the same name, and remove removes it', async () => {
    const { tasks } = setUp()
    tasks.schedule('poll', () => 1, { custom: 'on demand' })
    tasks.schedule('poll', () => 2, { fixedRate: '5s' })
    expect(await tasks.read()).toMatchObject([{ name: 'poll', trigger: { kind: 'fixedRate', interval: 5_000 } }])
    tasks.remove('poll')
    expect(await tasks.read()).toEqual([])
  })
})

describe('the trigger of a task', () => {
  it.each<[TaskTrigger, object]>([
    [{ cron: '0 3 * * *' }, { kind: 'cron', expression: '0 3 * * *' }],
    [{ custom: 'when the queue is full' }, { kind: 'custom', expression: 'when the queue is full' }],
    [{ fixedRate: '2s' }, { kind: 'fixedRate', interval: 2_000, initialDelay: 2_000 }],
    [
      { fixedDelay: '1m', initialDelay: '0s' },
      { kind: 'fixedDelay', interval: 60_000, initialDelay: 0 },
    ],
  ])('%j is shown as %j', async (trigger, shown) => {
    const { tasks, readTask } = setUp()
    tasks.schedule('task', () => {}, trigger)
    expect(await readTask()).toMatchObject({ trigger: shown })
  })

  it.each<[unknown, string]>([
    [{ cron: '' }, 'schedule: trigger.cron: expected a non-empty string, received ""'],
    [{ cron: '* * * * *', next: 5 }, 'schedule: trigger.next: expected a function, received 5'],
    [{ fixedRate: 5 }, 'schedule: trigger.fixedRate: expected a duration such as "5s", received 5'],
    [
      { fixedDelay: '5s', initialDelay: 'soon' },
      'schedule: trigger.initialDelay: expected a duration such as "5s", received "soon"',
    ],
  ])('%j is rejected', (trigger, message) => {
    const { tasks } = setUp()
    expect(() => tasks.schedule('task', () => {}, trigger as TaskTrigger)).toThrow(new TypeError(message))
  })

  it('rejects an empty name and a task that is no function', () => {
    const { tasks } = setUp()
    expect(() => tasks.schedule('', () => {})).toThrow('scheduledTasks: name: expected a non-empty string, received ""')
    expect(() => tasks.schedule('task', 5 as never)).toThrow('schedule: task: expected a function, received 5')
  })
})

describe('the next run', () => {
  it('of a fixed rate is an interval after the last start', async () => {
    const { clock, tasks, readTask } = setUp()
    const run = tasks.schedule('task', () => {}, { fixedRate: '5s', initialDelay: '1s' })
    expect(await readTask()).toMatchObject({ nextExecution: 1_000 })
    clock.advance(1_200)
    run()
    expect(await readTask()).toMatchObject({ nextExecution: 6_200 })
  })

  it('of a fixed delay is an interval after the last end, and unknown during a run', async () => {
    const { clock, tasks, readTask } = setUp()
    const work = deferred<void>()
    const run = tasks.schedule('task', () => work.promise, { fixedDelay: '5s' })
    clock.advance(5_000)
    const running = run()
    expect((await readTask())?.nextExecution).toBeUndefined()
    clock.advance(300)
    work.resolve()
    await running
    expect(await readTask()).toMatchObject({ nextExecution: 10_300 })
  })

  it('of a cron expression is what next returns, and unknown if next throws', async () => {
    const { tasks } = setUp()
    tasks.schedule('a', () => {}, { cron: '* * * * *', next: () => new Date(60_000) })
    tasks.schedule('b', () => {}, { cron: '* * * * *', next: () => 120_000 })
    tasks.schedule('c', () => {}, { cron: '* * * * *', next: () => null })
    tasks.schedule('d', () => {}, {
      cron: '* * * * *',
      next: () => {
        throw new Error('no scheduler')
      },
    })
    tasks.schedule('e', () => {}, { cron: '* * * * *', next: () => new Date('never') })
    expect((await tasks.read()).map(({ nextExecution }) => nextExecution)).toEqual([
      60_000,
      120_000,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a late task', () => {
  it('is one whose run is overdue by more than lateAfter', async () => {
    const { clock, tasks, readTask } = setUp()
    const run = tasks.schedule('task', () => {}, { fixedRate: '1m' })
    clock.advance(70_000)
    expect(await readTask()).toMatchObject({ isLate: false })
    clock.advance(1)
    expect(await readTask()).toMatchObject({ isLate: true })
    run()
    expect(await readTask()).toMatchObject({ isLate: false })
  })

  it('is recognized although the scheduler already names a later run', async () => {
    const { clock, tasks, readTask } = setUp()
    const next = () => Math.ceil((clock.wallTime() + 1) / 60_000) * 60_000
    tasks.schedule('task', () => {}, { cron: '* * * * *', next })
    clock.advance(150_000)
    expect(await readTask()).toMatchObject({ isLate: true, nextExecution: 180_000 })
  })

  it('is never one without a next run', async () => {
    const { clock, tasks, readTask } = setUp()
    let next: number | undefined = 60_000
    tasks.schedule('task', () => {}, { cron: '* * * * *', next: () => next })
    clock.advance(600_000)
    next = undefined
    expect(await readTask()).toMatchObject({ isLate: false })
    next = 660_000
    expect(await readTask()).toMatchObject({ isLate: false, nextExecution: 660_000 })
  })

  it('makes the indicator DOWN, with its name', async () => {
    const { clock, tasks } = setUp()
    tasks.schedule('reports.nightly', () => {}, { fixedRate: '1m' })
    tasks.schedule('reports.yearly', () => {}, { fixedRate: '365d' })
    const { signal } = new AbortController()
    expect(await tasks.indicator(signal)).toBe('UP')
    clock.advance(71_000)
    expect(await tasks.indicator(signal)).toEqual({ status: 'DOWN', details: { late: ['reports.nightly'] } })
  })
})

describe('the meters of scheduled tasks', () => {
  it('are those of Spring Boot, with the outcome of each run', async () => {
    const { clock, meters, tasks } = setUp()
    const work = deferred<void>()
    const run = tasks.schedule('orders.Reports.nightly', () => work.promise)
    const fail = tasks.schedule('cleanup', () => {
      throw new RangeError('full')
    })
    const running = run()
    clock.advance(2_000)
    const active = {
      'code.function': 'nightly',
      'code.namespace': 'orders.Reports',
      exception: 'none',
      outcome: 'UNKNOWN',
    }
    expect(meters.longTaskTimer('tasks.scheduled.execution.active', active)).toMatchObject({
      activeTasks: 1,
      duration: 2,
    })
    work.resolve()
    await running
    expect(fail).toThrow('full')
    const executions = [...meters.snapshot('tasks.scheduled.execution')].map((meter) => ({
      ...Object.fromEntries(meter.id.tags.map(({ key, value }) => [key, value])),
      count: 'count' in meter ? meter.count : undefined,
    }))
    expect(executions).toEqual([
      {
        'code.function': 'nightly',
        'code.namespace': 'orders.Reports',
        error: 'none',
        exception: 'none',
        outcome: 'SUCCESS',
        count: 1,
      },
      {
        'code.function': 'cleanup',
        'code.namespace': 'ANONYMOUS',
        error: 'RangeError',
        exception: 'RangeError',
        outcome: 'ERROR',
        count: 1,
      },
    ])
  })

  it('are not recorded after the unsubscribe function was called', () => {
    const { tasks } = setUp()
    const meters = createMeterRegistry()
    const stop = tasks.measure(meters)
    const run = tasks.schedule('task', () => {})
    run()
    stop()
    run()
    const [timer] = [...meters.snapshot('tasks.scheduled.execution')]
    expect(timer).toMatchObject({ count: 1 })
  })
})

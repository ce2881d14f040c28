import { SpanStatusCode } from '@opentelemetry/api'
import { Cron } from 'croner'
import cron from 'node-cron'
import { scheduleJob } from 'node-schedule'
import { traced } from 'upkeep'
import { createScheduledTasks } from 'upkeep/instrumentation'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { recordSpans } from '../../support/record-spans.ts'

const spans = recordSpans()

const query = () => traced('query', async () => 42)

describe('a run of a scheduled task', () => {
  it('is a span with what the task does below it', async () => {
    const run = createScheduledTasks().schedule('reports.nightly', async () => await query())
    expect(await run()).toBe(42)
    expect(spans.tree()).toEqual(['internal task reports.nightly', '  internal query'])
    expect(spans.named('task reports.nightly').attributes).toEqual({ 'code.function.name': 'reports.nightly' })
  })

  it('is a trace of its own, also if its timer was set in another', async () => {
    const run = createScheduledTasks().schedule('mails.send', () => query())
    await spans.below('request', async () => {
      await run()
      await run()
    })
    // Those that start in the same millisecond are in any order.
    expect(spans.tree().toSorted()).toEqual([
      ...['  internal query', '  internal query', 'internal request'],
      ...['internal task mails.send', 'internal task mails.send'],
    ])
    expect(new Set(spans.all().map((span) => span.spanContext().traceId)).size).toBe(3)
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new RangeError('full')
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('full'))],
  ])('has the error of a task that %s', async (_how, fail) => {
    const run = createScheduledTasks().schedule('mails.send', async () => await fail())
    await expect(run()).rejects.toThrow('full')
    const { status, attributes, events } = spans.named('task mails.send')
    expect(status.code).toBe(SpanStatusCode.ERROR)
    expect(attributes['error.type']).toBe('RangeError')
    expect(events.map(({ name }) => name)).toEqual(['exception'])
  })
})

describe('a run of a job', () => {
  const everySecond = '* * * * * *'
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
        now: Date.UTC(2026, 0, 1),
      }),
  )
  afterEach(() => void vi.useRealTimers())
  /** Until the first run has ended. */
  const run = () => vi.advanceTimersByTimeAsync(1_100)

  it('of croner is a span with what the job does below it', async () => {
    const job = new Cron(everySecond, { name: 'croner' }, () => void query())
    onTestFinished(() => job.stop())
    createScheduledTasks().add(job)
    await run()
    expect(spans.tree()).toEqual(['internal task croner', '  internal query'])
  })

  it('of node-schedule is a span with what the job does below it', async () => {
    const job = scheduleJob('node-schedule', everySecond, query)
    onTestFinished(() => void job.cancel())
    createScheduledTasks().add(job)
    await run()
    expect(spans.tree()).toEqual(['internal task node-schedule', '  internal query'])
  })

  it('of node-cron is a span with its error', async () => {
    const logger = { info() {}, warn() {}, error() {}, debug() {} }
    const fail = () => {
      throw new RangeError('full')
    }
    const job = cron.schedule(everySecond, fail, { name: 'node-cron', logger })
    onTestFinished(() => void job.destroy())
    createScheduledTasks().add(job)
    await run()
    expect(spans.named('task node-cron').status.code).toBe(SpanStatusCode.ERROR)
    expect(spans.named('task node-cron').attributes['error.type']).toBe('RangeError')
  })
})

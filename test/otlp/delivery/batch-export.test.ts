import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { nextTurn } from '../../../src/base/timers.ts'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { createBatchExport } from '../../../src/otlp/delivery/batch-export.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import type { QueueSettings } from '../../../src/otlp/settings/signal-settings.ts'
import { deferred } from '../../support/deferred.ts'
import { eventually } from '../../support/eventually.ts'

interface Answers {
  /** Encodes the items of a request, joined by spaces. */
  readonly encode?: (item: string) => Promise<readonly Uint8Array[]>
  /** Of the first request; all others are accepted. */
  readonly first?: Promise<Attempt>
}

const accepted: Attempt = { ...createAttempt(), status: 200 }
const encoded = async (item: string) => [Buffer.from(item)]

const queue: QueueSettings = {
  ...{ maximumQueueSize: 10, maximumBatchSize: 1, readySize: 1 },
  ...{ maximumQueueBytes: 1_000, delayMilliseconds: 60_000 },
}

function setUp({ encode = encoded, first }: Answers = {}, settings: Partial<QueueSettings> = {}) {
  const sent: string[] = []
  const meters = createMeterRegistry()
  const reports: string[] = []
  const report = (message: string) => void reports.push(message)
  const batches = createBatchExport<string>({
    signal: 'traces',
    queue: { ...queue, ...settings },
    encode: (items) => encode(items.join(' ')),
    sender: {
      send: async ({ body }) => {
        sent.push(Buffer.concat(body).toString())
        return sent.length === 1 && first !== undefined ? first : accepted
      },
      abort() {},
    },
    hint: () => '',
    timeoutMilliseconds: 10_000,
    exporting: {
      meters: createExportMeters(meters, ['traces'], () => 0),
      losses: createLossReport('traces', 'http://collector', report, systemClock),
      report,
      clock: systemClock,
      random: () => 0.5,
      onlyOnFlush: false,
    },
  })
  return { batches, sent, reports, count: (name: string) => meters.counter(name, { signal: 'traces' }).value }
}

const microtasksBetween = Array.from({ length: 16 }, (_, count) => count)

it.each(microtasksBetween)('a batch encoded %i microtasks after the previous one arrived is sent', async (between) => {
  const answer = deferred<Attempt>()
  const second = deferred<readonly Uint8Array[]>()
  const encode = async (item: string) => (item === 'second' ? second.promise : encoded(item))
  const { batches, sent } = setUp({ encode, first: answer.promise })
  batches.add('first')
  batches.add('second')
  while (sent.length === 0) await nextTurn()

  answer.resolve(accepted)
  for (let microtask = 0; microtask < between; microtask += 1) await Promise.resolve()
  second.resolve([Buffer.from('second')])
  await batches.flush()

  expect(sent).toEqual(['first', 'second'])
  expect(batches.queueSize).toBe(0)
})

it('an item that is added while others are encoded is exported, without another one after it', async () => {
  const first = deferred<readonly Uint8Array[]>()
  const isBegun = deferred()
  const { batches, sent } = setUp({
    encode: async (item) => {
      isBegun.resolve()
      return item === 'first' ? first.promise : encoded(item)
    },
  })
  batches.add('first')
  await isBegun.promise
  batches.add('second')
  first.resolve([Buffer.from('first')])
  await eventually(() => expect(sent).toEqual(['first', 'second']))
})

it('an item that is added after the shutdown is dropped, counted and not sent', async () => {
  const { batches, sent, count } = setUp()
  batches.add('first')
  await batches.shutdown()
  batches.add('second')
  await batches.flush()
  expect(sent).toEqual(['first'])
  expect(batches.queueSize).toBe(0)
  expect([count('otlp.exported'), count('otlp.dropped')]).toEqual([1, 1])
})

it.each([
  [new RangeError('too deep'), 'too deep'],
  ['nonsense', 'cannot be encoded'],
])('items that cannot be read are counted and reported, and later ones are sent: %s', async (thrown, reason) => {
  const { batches, sent, reports, count } = setUp({
    encode: async (item) => {
      if (item === 'first') throw thrown
      return encoded(item)
    },
  })
  onTestFinished(batches.abort)
  batches.add('first')
  batches.add('second')
  await batches.flush()
  expect(sent).toEqual(['second'])
  expect([count('otlp.exported'), count('otlp.failed')]).toEqual([1, 1])
  expect(reports).toEqual([`otlp: failed to export 1 span to http://collector: ${reason}`])
})

it('an export begins when enough items wait, and the next request has all of them up to its maximum', async () => {
  const { batches, sent } = setUp({}, { readySize: 2, maximumBatchSize: 5 })
  batches.add('1')
  await nextTurn()
  await nextTurn()
  expect(sent).toEqual([])
  for (const item of ['2', '3', '4', '5', '6', '7', '8']) batches.add(item)
  while (batches.queueSize > 0) await nextTurn()
  expect(sent).toEqual(['1 2', '3 4 5 6 7', '8'])
})

it('a request has no more items than begin an export where they are large', async () => {
  const large = 'x'.repeat(1_500_000)
  const { batches, sent } = setUp({}, { readySize: 2, maximumBatchSize: 5, maximumQueueBytes: 100_000_000 })
  for (let at = 0; at < 6; at += 1) batches.add(large)
  while (batches.queueSize > 0) await nextTurn()
  expect(sent.map((text) => text.split(' ').length)).toEqual([2, 2, 2])
})

import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { nextTurn } from '../../../src/base/timers.ts'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { type BatchExport, createBatchExport } from '../../../src/otlp/delivery/batch-export.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import type { QueueSettings } from '../../../src/otlp/settings/signal-settings.ts'
import { deferred } from '../../support/deferred.ts'

const accepted: Attempt = { ...createAttempt(), status: 200 }
const queue: QueueSettings = {
  ...{ maximumQueueSize: 10, maximumBatchSize: 1, readySize: 1 },
  ...{ maximumQueueBytes: 1_000, delayMilliseconds: 60_000 },
}

/** An export of texts, whose requests are passed to `send`. */
function start(
  settings: Partial<QueueSettings>,
  encode: (items: readonly string[]) => Promise<readonly Uint8Array[]>,
  send: (text: string) => Promise<Attempt>,
): BatchExport<string> {
  return createBatchExport<string>({
    signal: 'traces',
    queue: { ...queue, ...settings },
    encode,
    sender: { send: ({ body }) => send(Buffer.concat(body).toString()), abort() {} },
    hint: () => '',
    timeoutMilliseconds: 10_000,
    exporting: {
      meters: createExportMeters(createMeterRegistry(), ['traces'], () => 0),
      losses: createLossReport('traces', 'http://collector', () => {}, systemClock),
      report: () => {},
      clock: systemClock,
      random: () => 0.5,
      onlyOnFlush: false,
    },
  })
}

const microtasksBetween = Array.from({ length: 16 }, (_, count) => count)

it.each(microtasksBetween)('a batch encoded %i microtasks after the previous one arrived is sent', async (between) => {
  const sent: string[] = []
  const answer = deferred<Attempt>()
  const encoded = deferred<readonly Uint8Array[]>()
  const batches = start(
    {},
    async ([item]) => (item === 'second' ? encoded.promise : [Buffer.from(item as string)]),
    async (text) => {
      sent.push(text)
      return sent.length === 1 ? answer.promise : accepted
    },
  )
  batches.add('first')
  batches.add('second')
  while (sent.length === 0) await nextTurn()

  answer.resolve(accepted)
  for (let microtask = 0; microtask < between; microtask += 1) await Promise.resolve()
  encoded.resolve([Buffer.from('second')])
  await batches.flush()

  expect(sent).toEqual(['first', 'second'])
  expect(batches.queueSize).toBe(0)
})

it('an export begins when enough items wait, and a request has all of them up to its maximum', async () => {
  const sent: string[] = []
  const batches = start(
    { readySize: 2, maximumBatchSize: 5 },
    async (items) => [Buffer.from(items.join(' '))],
    async (text) => {
      sent.push(text)
      return accepted
    },
  )
  batches.add('1')
  await nextTurn()
  await nextTurn()
  expect(sent).toEqual([])
  for (const item of ['2', '3', '4', '5', '6', '7']) batches.add(item)
  while (batches.queueSize > 0) await nextTurn()
  expect(sent).toEqual(['1 2 3 4 5', '6 7'])
})

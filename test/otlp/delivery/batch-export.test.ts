import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { nextTurn } from '../../../src/base/timers.ts'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { createBatchExport } from '../../../src/otlp/delivery/batch-export.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import { deferred } from '../../support/deferred.ts'

const microtasksBetween = Array.from({ length: 16 }, (_, count) => count)

it.each(microtasksBetween)('a batch encoded %i microtasks after the previous one arrived is sent', async (between) => {
  const sent: string[] = []
  const answer = deferred<Attempt>()
  const encoded = deferred<readonly Uint8Array[]>()
  const batches = createBatchExport<string>({
    signal: 'traces',
    queue: { maximumQueueSize: 10, maximumBatchSize: 1, maximumQueueBytes: 1_000, delayMilliseconds: 60_000 },
    encode: async ([item]) => (item === 'second' ? encoded.promise : [Buffer.from(item as string)]),
    sender: {
      send: async ({ body }) => {
        sent.push(Buffer.concat(body).toString())
        return sent.length === 1 ? answer.promise : { ...createAttempt(), status: 200 }
      },
      abort() {},
    },
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
  batches.add('first')
  batches.add('second')
  while (sent.length === 0) await nextTurn()

  answer.resolve({ ...createAttempt(), status: 200 })
  for (let microtask = 0; microtask < between; microtask += 1) await Promise.resolve()
  encoded.resolve([Buffer.from('second')])
  await batches.flush()

  expect(sent).toEqual(['first', 'second'])
  expect(batches.queueSize).toBe(0)
})

import fc from 'fast-check'
import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { conventions } from '../../../src/instrumentation/conventions/conventions.ts'
import { RequestMetersIndex } from '../../../src/instrumentation/http-server/request-meters.ts'
import { noException } from '../../../src/instrumentation/request-tags.ts'

const requests = fc.tuple(
  fc.constantFrom('/a', '/b', undefined),
  fc.constantFrom(200, 201, 503),
  fc.constantFrom(noException, noException, 'TypeError'),
)

it('requests in any order are recorded by their own route, status and exception', () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 20 }), (ended) => {
      const meters = createMeterRegistry()
      const index = new RequestMetersIndex(meters, conventions.micrometer.httpServer, (error) =>
        expect.fail(`${error}`),
      )
      const ofGet = index.of({ method: 'GET', rawHeaders: [], socket: undefined })
      const expected = new Map<string, number>()
      for (const [template, status, exception] of ended) {
        ofGet.record(template, status, exception, 1)
        const key = [template ?? 'UNKNOWN', status, exception].join()
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
      const recorded = new Map<string, number>()
      for (const meter of meters.snapshot()) {
        if (meter.kind !== 'timer') continue
        const { uri, status, exception } = Object.fromEntries(meter.id.tags.map(({ key, value }) => [key, value]))
        recorded.set([uri, status, exception].join(), meter.count)
      }
      expect(recorded).toEqual(expected)
    }),
  )
})

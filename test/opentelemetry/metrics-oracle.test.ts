import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Program, runOnSdk, runOnUpkeep } from './compared-metrics.ts'
import { metricPrograms } from './metric-programs.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/otlp.md'), 'utf8')

describe('metrics through the API are those of the official SDK, for', () => {
  it.each(Object.entries(metricPrograms))('%s', async (_name, { program, upkeep = (sdk) => sdk, difference }) => {
    const [sdk, ours] = [await runOnSdk(program), await runOnUpkeep(program)]
    expect(ours).toEqual(upkeep(sdk))
    if (difference !== undefined) {
      expect(ours).not.toEqual(sdk)
      expect(page).toContain(`| ${difference} |`)
    }
  })

  const attributes = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z', 1, true), {
    maxKeys: 3,
  })
  const call = fc.record({
    instrument: fc.constantFrom('counter', 'up.down', 'gauge', 'histogram'),
    value: fc.integer({ min: -1_000, max: 20_000 }).map((quarters) => quarters / 4),
    attributes: fc.option(attributes, { nil: undefined }),
  })

  it('any calls of synchronous instruments', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 60 }), async (calls) => {
        const program: Program = ({ meter }) => {
          const counter = meter.createCounter('counter')
          const upDown = meter.createUpDownCounter('up.down')
          const gauge = meter.createGauge('gauge')
          const histogram = meter.createHistogram('histogram', { unit: 'ms' })
          for (const { instrument, value, attributes: given } of calls) {
            if (instrument === 'counter') counter.add(value, given)
            else if (instrument === 'up.down') upDown.add(value, given)
            else if (instrument === 'gauge') gauge.record(value, given)
            else histogram.record(value, given)
          }
        }
        expect(await runOnUpkeep(program)).toEqual(await runOnSdk(program))
      }),
      { numRuns: 60 },
    )
  })
})

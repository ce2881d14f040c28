import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSuperlinear } from '../support/growth/superlinear.ts'
import { mutationsOf } from './mutations.ts'
import { targets } from './targets.ts'

/** How long each parser is fuzzed with inputs that differ in each run; `npm run fuzz` sets it. */
const seconds = process.env['UPKEEP_FUZZ_SECONDS']

/** Without a time, each parser gets the same inputs in every run. */
const inputs: fc.Parameters<[string]> =
  seconds === undefined
    ? { numRuns: 500, seed: 1 }
    : {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: Number(seconds) * 1_000,
        markInterruptAsFailure: false,
      }

/** Of how many beginnings of each seed worst cases are made. */
const maxPlaces = 8

describe('a parser of input from peers', () => {
  it.each(targets)(
    'keeps its contract for any input: $name',
    async ({ seeds, parse }) => {
      for (const seed of seeds) await parse(seed)
      const property = fc.asyncProperty(mutationsOf(seeds), async (text) => {
        await parse(text)
      })
      await fc.assert(property, inputs)
    },
    Number(seconds ?? 0) * 1_000 + 60_000,
  )

  it.each(targets.filter(({ isUntimed }) => isUntimed !== true))(
    'takes time linear in its input: $name',
    ({ seeds, parse }) => {
      expect(findSuperlinear(parse, seeds, maxPlaces)).toBeUndefined()
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSuperlinear } from '../support/growth/superlinear.ts'
import { mutationsOf } from './mutations.ts'
import { targets } from './targets.ts'

/** How long each parser is fuzzed; `npm run fuzz -- --seconds 60` for longer. */
const milliseconds = Number(process.env['UPKEEP_FUZZ_SECONDS'] ?? 0.5) * 1_000

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
      await fc.assert(property, {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: milliseconds,
        markInterruptAsFailure: false,
      })
    },
    milliseconds + 60_000,
  )

  it.each(targets.filter(({ isUntimed }) => isUntimed !== true))(
    'takes time linear in its input: $name',
    ({ seeds, parse }) => {
      expect(findSuperlinear(parse, seeds, maxPlaces)).toBeUndefined()
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSuperlinear } from '../support/growth/superlinear.ts'
import { mutationsOf } from './mutations.ts'
import { targets } from './targets.ts'

/** How long each parser is fuzzed; `npm run fuzz -- --seconds 60` for longer. */
const milliseconds = Number(process.env['UPKEEP_FUZZ_SECONDS'] ?? 0.5) * 1_000

/** Of how many beginnings of each seed worst cases are made. */
const maxPlaces = 8

describe('a parser of what a peer sends', () => {
  it.each(targets)(
    'keeps what it promises for whatever it is given: $name',
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
    'takes time linear in what it is given: $name',
    ({ seeds, parse }) => {
      expect(findSuperlinear(parse, seeds, maxPlaces)).toBeUndefined()
    },
  )
})

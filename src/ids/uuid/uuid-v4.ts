import { requireKnownOptions } from '../../base/known-options.ts'
import { formatUuid, withVariant, withVersion } from '../format-ids.ts'
import { type RandomSource, randomWords } from '../random.ts'

/** Options of `createUuidV4`. */
export interface UuidV4Options {
  /** @default node:crypto */
  readonly random?: RandomSource
}

/** Returns a function that creates UUIDs of version 4: 122 random bits. RFC 9562 §5.4. */
export function createUuidV4(options: UuidV4Options = {}): () => string {
  requireKnownOptions('createUuidV4', options, ['random'], { foreignNames: { rng: 'random' } })
  const { random } = options
  const words = randomWords(random)
  return () => formatUuid(words.next(), withVersion(words.next(), 4), withVariant(words.next()), words.next())
}

/** Creates a random UUID, of version 4: {@link createUuidV4} with `node:crypto`. */
export const uuidV4: () => string = /* @__PURE__ */ createUuidV4()

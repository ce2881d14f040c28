import { type RandomSource, randomWords } from '../random.ts'
import { formatUuid, withVariant, withVersion } from './uuid-text.ts'

export interface UuidV4Options {
  /** @default node:crypto */
  readonly random?: RandomSource
}

/** A function that makes random UUIDs, of 122 random bits. RFC 9562 §5.4. */
export function createUuidV4({ random }: UuidV4Options = {}): () => string {
  const words = randomWords(random)
  return () => formatUuid(words.next(), withVersion(words.next(), 4), withVariant(words.next()), words.next())
}

/** A random UUID: {@link createUuidV4} with the randomness of `node:crypto`. */
export const uuidV4: () => string = createUuidV4()

import fc from 'fast-check'

/** Texts that grammars stumble over. */
const odd = [
  '',
  ' ',
  '\t',
  '\r\n',
  '\0',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '\\"',
  '%',
  '%00',
  '/',
  '..',
  '(',
  ')',
  '[',
  '{',
  '-0',
]
const odder = [
  '9'.repeat(400),
  'a'.repeat(300),
  '"'.repeat(100),
  '\u{10ffff}',
  '\ud800',
  '\u00e9',
  '__proto__',
  '\ufeff',
]

/**
 * Returns texts like the seeds: pieces of them in any order, repeated, with something odd in between, or anything at
 * all.
 */
export function mutationsOf(seeds: readonly string[]): fc.Arbitrary<string> {
  const seed = fc.constantFrom(...seeds)
  const piece = fc
    .tuple(seed, fc.nat(200), fc.nat(200))
    .map(([text, start, length]) => text.slice(start % (text.length + 1)).slice(0, length))
  const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...odd, ...odder))
  const repeated = fc.tuple(fc.oneof(piece, anything), fc.nat(60)).map(([text, count]) => text.repeat(count))
  const part = fc.oneof({ weight: 4, arbitrary: piece }, { weight: 2, arbitrary: anything }, repeated, seed)
  return fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
}

/** A text that repeats one piece: for a backtracking matcher the costly texts have this form. */
export interface WorstCase {
  readonly before: string
  readonly repeated: string
  readonly after: string
}

/** Characters that grammars give a meaning to, or that are likely to end a match. */
const general = [' ', '\t', '\n', ',', ';', '=', '"', '\\', '/', ':', '(', '[', '{', '%', '.', '-', 'a', '0', '\u00e9']

/**
 * Returns texts that are likely to be costly for what reads `sample`: each begins like the sample, repeats the piece
 * that follows or precedes there (or some general character) and then ends unexpectedly, or as the sample does. Of a
 * long sample no more than `maxPlaces` beginnings are taken.
 */
export function* worstCases(sample: string, maxPlaces = Number.POSITIVE_INFINITY): Generator<WorstCase> {
  const step = Math.max(1, Math.ceil(sample.length / maxPlaces))
  for (let at = 0; at <= sample.length; at += step) {
    const before = sample.slice(0, at)
    const neighbours = [1, 2, 3, 5, 8].flatMap((length) => [sample.slice(at, at + length), before.slice(-length)])
    for (const repeated of new Set([...general, ...neighbours, sample])) {
      if (repeated === '') continue
      for (const after of new Set(['', '!', '\n\0', sample.slice(at)])) yield { before, repeated, after }
    }
  }
}

/** Returns the text of a worst case whose repeated part has about `size` characters. */
export function textOf({ before, repeated, after }: WorstCase, size: number): string {
  return before + repeated.repeat(Math.ceil(size / repeated.length)) + after
}

import { exemplarBytes } from './exemplar-records.ts'
import { decodeHead, type FileHeader, type HalfHead, limits, startOfHalf } from './file-layout.ts'
import { readBytes } from './safe-files.ts'

interface Half {
  readonly number: 0 | 1
  readonly head: HalfHead
}

/** Returns the halves that were written, the newer one first. Nothing of them is certain yet. */
export function headsIn(prefix: Buffer, { halves }: FileHeader): readonly Half[] {
  const numbers = halves === 1 ? ([0] as const) : ([0, 1] as const)
  return numbers
    .map((number) => ({ number, head: decodeHead(prefix, number) }))
    .filter(({ head: { sequence } }) => Number.isSafeInteger(sequence) && sequence > 0)
    .sort((a, b) => b.head.sequence - a.head.sequence)
}

/** Returns the values and exemplars of a half; `undefined` if its head cannot be right. */
export function readContent(fd: number, header: FileHeader, { number, head }: Half): Buffer | undefined {
  const length = 8 * head.cells + exemplarBytes * head.exemplars
  if (length > header.capacity || head.exemplars > limits.exemplars) return undefined
  const content = readBytes(fd, startOfHalf(header, number), length)
  return content.length === length ? content : undefined
}

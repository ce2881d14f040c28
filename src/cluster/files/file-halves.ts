import { crc32 } from './checksum.ts'
import { exemplarBytes } from './exemplar-records.ts'
import { decodeHead, type FileHeader, type HalfHead, limits, startOfHalf } from './file-layout.ts'
import { readBytes } from './safe-files.ts'

interface Half {
  readonly number: 0 | 1
  readonly head: HalfHead
}

/** Returns the halves whose heads are intact, the newer one first. Their contents may be damaged. */
export function headsIn(prefix: Buffer, { halves }: FileHeader): readonly Half[] {
  const numbers = halves === 1 ? ([0] as const) : ([0, 1] as const)
  return numbers
    .flatMap((number) => {
      const head = decodeHead(prefix, number)
      return head !== undefined && Number.isSafeInteger(head.sequence) && head.sequence > 0 ? [{ number, head }] : []
    })
    .sort((a, b) => b.head.sequence - a.head.sequence)
}

/** Returns the values and exemplars of a half; `undefined` if they are not what was written. */
export function readContent(fd: number, header: FileHeader, { number, head }: Half): Buffer | undefined {
  const length = 8 * head.cells + exemplarBytes * head.exemplars
  if (length > header.capacity || head.exemplars > limits.exemplars) return undefined
  const content = readBytes(fd, startOfHalf(header, number), length)
  return content.length === length && crc32(content) === head.contentChecksum ? content : undefined
}

import { type Duration, durationMilliseconds } from '../../base/duration.ts'

/** Options of the endpoint `heapdump`. */
export interface HeapDumpOptions {
  /**
   * How many times the used heap must be available as memory; otherwise a dump is refused. A snapshot needs 2.4 times
   * the heap for long strings, 12 times for small objects. @default 12
   */
  readonly factor?: number | undefined
  /** The directory of the file, which is up to twice as large as the heap. @default that for temporary files */
  readonly directory?: string | undefined
  /** How long the event loop may be blocked before a watchdog reports it as a failure. @default '2m' */
  readonly maximumBlock?: Duration | undefined
}

export interface HeapDumpSettings {
  readonly factor: number
  /** `undefined` for that for temporary files. */
  readonly directory: string | undefined
  readonly blockMilliseconds: number
}

export function heapDumpSettings({ factor = 12, directory, maximumBlock = '2m' }: HeapDumpOptions): HeapDumpSettings {
  return { factor, directory, blockMilliseconds: durationMilliseconds(maximumBlock, 'heapdump.maximumBlock') }
}

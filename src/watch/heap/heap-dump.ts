import type { Readable } from 'node:stream'
import { availableMemory } from '../../base/container-memory.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { requireNode } from '../diagnostics/mechanisms.ts'
import { takeSnapshot } from './take-snapshot.ts'

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

/** For how long a client may read nothing before its download is ended. */
const idleMilliseconds = 60_000

const turnMilliseconds = 20

/** Takes snapshots of the heap of this thread, one at a time: the next one when the last byte has been read. */
export interface HeapDumper {
  /**
   * Checks that a snapshot can be taken.
   *
   * @throws HttpError 501 on Bun and Deno; 409 if another one is in progress, or if the memory may not suffice.
   */
  check(): void
  /**
   * Takes a snapshot when its first chunk is read. `taken` is called before that chunk with the time for which the
   * event loop was blocked, in milliseconds.
   */
  take(signal: AbortSignal, taken: (blockedMilliseconds: number) => void): AsyncIterable<Uint8Array>
  /** Ends a download. */
  close(): void
}

export function createHeapDumper(
  { run, expectBlock }: Pick<Diagnostics, 'run' | 'expectBlock'>,
  { factor, directory, blockMilliseconds }: HeapDumpSettings,
  report: Report,
): HeapDumper {
  const closing = new AbortController()
  /** The download that is in progress. */
  let current: symbol | undefined

  const requireIdle = (): void => {
    if (current === undefined) return
    throw new HttpError(409, 'Another heap snapshot is in progress.', { headers: { 'Retry-After': '10' } })
  }

  const takeExpected = async (taken: (blockedMilliseconds: number) => void): Promise<Readable> => {
    const endBlock = expectBlock(blockMilliseconds)
    const endMeasuring = measureBlock()
    try {
      return await takeSnapshot(run, directory, report)
    } finally {
      endBlock()
      taken(endMeasuring())
    }
  }

  async function* take(signal: AbortSignal, taken: (blockedMilliseconds: number) => void): AsyncGenerator<Uint8Array> {
    requireIdle()
    const download = Symbol('download')
    const release = (): void => {
      if (current === download) current = undefined
    }
    current = download
    try {
      const content = await takeExpected(taken)
      yield* readContent(content, AbortSignal.any([signal, closing.signal]), release)
    } finally {
      release()
    }
  }

  return {
    check() {
      requireNode()
      requireIdle()
      requireMemory(factor)
    },
    take: (signal, taken) => ({ [Symbol.asyncIterator]: () => take(signal, taken) }),
    close: () => closing.abort(),
  }
}

/**
 * Reads content to its end. Destroys it when the signal aborts or when the reader pauses for a minute, also if the
 * reader never returns; then `ended` is called.
 */
async function* readContent(content: Readable, signal: AbortSignal, ended: () => void): AsyncGenerator<Uint8Array> {
  const end = (): void => {
    content.destroy()
    ended()
  }
  const timer = setUnrefTimeout(end, idleMilliseconds)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    for await (const chunk of content) {
      timer.refresh()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    end()
  }
}

/**
 * Checks that the memory that is available to the container is a multiple of the used heap.
 *
 * @throws HttpError 409 with the figures.
 */
function requireMemory(factor: number): void {
  const used = process.getBuiltinModule('node:v8').getHeapStatistics().used_heap_size
  const available = availableMemory()
  const required = factor * used
  if (required <= available) return
  throw new HttpError(
    409,
    `A heap snapshot may need ${factor} times the used heap of ${megabytes(used)}, which is ${megabytes(required)}; ` +
      `${megabytes(available)} are available. Provide more memory, or reduce the option heapdump.factor.`,
    { members: { used_heap: used, factor, required, available } },
  )
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}

/**
 * Begins to measure. Returns a function that ends this, and returns for how long the event loop was blocked at most.
 */
function measureBlock(): () => number {
  let last = performance.now()
  let longest = 0
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - turnMilliseconds)
    last = now
  }
  const timer = setInterval(turn, turnMilliseconds)
  return () => {
    clearInterval(timer)
    turn()
    return Math.round(longest)
  }
}

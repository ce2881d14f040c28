import type { Clock } from '../base/clock.ts'
import { failure } from '../base/errors.ts'
import { lazy } from '../base/lazy.ts'

/**
 * Streams of chunks that several readers share: a page that is requested several times at once is rendered once, and
 * each reader reads it at its own pace.
 *
 * The chunks of a stream are a linked list whose links create the next one on demand. A reader holds the link that it
 * reads, so what all readers have passed can be garbage-collected. As long as a stream can be joined, it also holds its
 * first link.
 */
interface SharedStreams {
  /**
   * Returns the chunks of the stream of this name, if one can still be joined; else starts one.
   */
  read(name: string, start: () => StreamSource): SharedReading
}

export interface StreamSource {
  readonly chunks: AsyncGenerator<Uint8Array>
  /** Called with a chunk that no reader needs any more; its memory may be reused. */
  reuse(chunk: Uint8Array): void
}

export interface SharedReading extends AsyncIterable<Uint8Array> {
  /** Like iterating it, for a reader that does not use a chunk after it has requested the next one. */
  borrow(): AsyncIterable<Uint8Array>
}

/** How old a stream may be for a reader to join it: no reader receives older values. */
const maxJoinableAge = 1_000

/** How many chunks it may have: a stream that can be joined holds all of them. One megabyte, in chunks of 64 KB. */
const maxJoinableChunks = 16

/**
 * How many chunks of all streams together are held for slow readers. 16 megabytes, in chunks of 64 KB.
 */
const maxHeldChunks = 256

export function createSharedStreams(clock: Clock): SharedStreams {
  /** The streams that can be joined, by name. */
  const streams = new Map<string, Stream>()
  /** All streams. Weak, so that a reader that never returns can be garbage-collected. */
  const live = new Set<WeakRef<Stream>>()

  function join(name: string, start: () => StreamSource): Stream {
    closeOld()
    const going = streams.get(name)
    if (going !== undefined) return going
    const stream: Stream = {
      ...start(),
      name,
      startedAt: clock.monotonicTime(),
      rendered: 0,
      readers: new Set(),
      head: undefined,
    }
    stream.head = lazy(() => renderNext(stream))
    streams.set(name, stream)
    live.add(new WeakRef(stream))
    return stream
  }

  function linkTo(stream: Stream, chunk: Uint8Array): Link {
    // As long as readers can join, the number of readers is unknown.
    let unread = stream.head === undefined ? stream.readers.size : Number.POSITIVE_INFINITY
    return {
      chunk,
      next: lazy(() => renderNext(stream)),
      pass() {
        unread -= 1
        if (unread === 0) stream.reuse(chunk)
      },
    }
  }

  /** Requests the next chunk. A stream that has ended, is too old or has too many chunks can no longer be joined. */
  async function renderNext(stream: Stream): Promise<Link | undefined> {
    let ends = true
    try {
      const { done, value } = await stream.chunks.next()
      ends = done === true
      stream.rendered += 1
      return ends ? undefined : linkTo(stream, value)
    } finally {
      if (ends || !isYoung(stream)) close(stream)
      limitHeld()
    }
  }

  /**
   * While too much is held: closes the stream that holds most to further readers, or cuts off its slowest reader.
   */
  function limitHeld(): void {
    const streams = ongoing()
    let kept = streams.reduce((sum, stream) => sum + heldBy(stream), 0)
    while (kept > maxHeldChunks) {
      const most = streams.reduce((one, other) => (heldBy(other) > heldBy(one) ? other : one))
      kept -= heldBy(most)
      if (most.head !== undefined) close(most)
      else cutSlowest(most)
      kept += heldBy(most)
    }
  }

  function ongoing(): readonly Stream[] {
    return [...live].flatMap((reference) => {
      const stream = reference.deref()
      if (stream !== undefined && stream.readers.size > 0) return [stream]
      live.delete(reference)
      return []
    })
  }

  function isYoung({ startedAt, rendered }: Stream): boolean {
    return rendered < maxJoinableChunks && clock.monotonicTime() - startedAt < maxJoinableAge
  }

  /**
   * Closes old streams, whose readers have not requested a chunk since. The map is in the order of their start.
   */
  function closeOld(): void {
    for (const stream of streams.values()) {
      if (clock.monotonicTime() - stream.startedAt < maxJoinableAge) return
      close(stream)
    }
  }

  /** Admits no further readers, so that what all readers have passed can be garbage-collected. */
  function close(stream: Stream): void {
    stream.head = undefined
    if (streams.get(stream.name) === stream) streams.delete(stream.name)
  }

  async function* follow(
    name: string,
    start: () => StreamSource,
    passed: (link: Link) => void,
  ): AsyncGenerator<Uint8Array> {
    const stream = join(name, start)
    const reader: Reader = { position: 0, link: undefined, isCut: false }
    stream.readers.add(reader)
    try {
      reader.link = await stream.head?.()
      while (reader.link !== undefined) {
        // Only the reader holds the link, so that what follows can be garbage-collected once the reader is cut off.
        yield reader.link.chunk
        if (reader.isCut)
          throw failure('UPKEEP_EDELIVERY', 'the reader of a scrape was cut off: it is too far behind the others')
        reader.position += 1
        passed(reader.link)
        reader.link = await reader.link.next()
      }
    } finally {
      stream.readers.delete(reader)
      if (stream.readers.size === 0) {
        close(stream)
        await stream.chunks.return(undefined)
      }
    }
  }

  return {
    read: (name, start) => ({
      [Symbol.asyncIterator]: () => follow(name, start, () => {}),
      borrow: () => follow(name, start, (link) => link.pass()),
    }),
  }
}

/**
 * Returns how many chunks are held for readers that may join, or for the slowest reader besides the one that it reads.
 */
function heldBy({ rendered, readers, head }: Stream): number {
  if (head !== undefined) return rendered
  return [...readers].reduce((most, { position }) => Math.max(most, rendered - position - 1), 0)
}

function cutSlowest({ readers }: Stream): void {
  const [slowest] = [...readers].sort((one, other) => one.position - other.position)
  if (slowest === undefined) return
  slowest.isCut = true
  slowest.link = undefined
  readers.delete(slowest)
}

interface Stream extends StreamSource {
  readonly name: string
  /** By the monotonic clock. */
  readonly startedAt: number
  /** The number of chunks so far. */
  rendered: number
  readonly readers: Set<Reader>
  /** Requests the first chunk; `undefined` once no further reader can join. */
  head: (() => Promise<Link | undefined>) | undefined
}

interface Reader {
  /** The number of chunks that it has passed. */
  position: number
  /** The chunk that it reads, and thereby all that follow. */
  link: Link | undefined
  isCut: boolean
}

/**
 * A chunk and how to get the next, which is requested from the source once. Refers to what follows, not to what
 * precedes.
 */
interface Link {
  readonly chunk: Uint8Array
  /** `undefined` after the last. */
  readonly next: () => Promise<Link | undefined>
  /** Called by each reader that has passed the chunk; after the last one its memory is reused. */
  pass(): void
}

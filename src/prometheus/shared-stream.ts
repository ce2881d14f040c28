import type { Clock } from '../base/clock.ts'
import { lazy } from '../base/lazy.ts'

/** Readers of the same page at the same time have it rendered once, and each reads it at its own pace. */
export interface SharedRenderings {
  /** The chunks of the rendering of this name that was begun lately and still goes on, or of one that is started now. */
  read(name: string, start: () => StartedRendering): SharedReading
}

export interface StartedRendering {
  readonly chunks: AsyncGenerator<Uint8Array>
  /** Takes a chunk back that nobody reads any more, to be written anew. */
  reuse(chunk: Uint8Array): void
}

export interface SharedReading extends AsyncIterable<Uint8Array> {
  /** As iterating it, for a reader that is done with a chunk when it asks for the next. */
  borrow(): AsyncIterable<Uint8Array>
}

/** How old a rendering may be for one more reader to join it: nobody is handed values from longer ago. */
const joinableMilliseconds = 1_000

/** How far it may have come: what one may still join is kept from its beginning on. A megabyte, in chunks of 64 KB. */
const joinableChunks = 16

/** How many chunks of all renderings together are kept for readers that are behind. 16 megabytes, in chunks of 64 KB. */
const maxKeptChunks = 256

export function createSharedRenderings(clock: Clock): SharedRenderings {
  /** Those that one may still join, by name. */
  const renderings = new Map<string, Rendering>()
  /** Those that go on. A reader that is garbage-collected before it has returned must not be retained from here. */
  const live = new Set<WeakRef<Rendering>>()

  function join(name: string, start: () => StartedRendering): Rendering {
    closeOld()
    const going = renderings.get(name)
    if (going !== undefined) return going
    const rendering: Rendering = {
      ...start(),
      name,
      begun: clock.monotonicTime(),
      rendered: 0,
      readers: new Set(),
      beginning: undefined,
    }
    rendering.beginning = lazy(() => renderNext(rendering))
    renderings.set(name, rendering)
    live.add(new WeakRef(rendering))
    return rendering
  }

  function linkTo(rendering: Rendering, chunk: Uint8Array): Link {
    // As long as one may join, it is not known how many will read it.
    let unread = rendering.beginning === undefined ? rendering.readers.size : Number.POSITIVE_INFINITY
    return {
      chunk,
      next: lazy(() => renderNext(rendering)),
      pass() {
        unread -= 1
        if (unread === 0) rendering.reuse(chunk)
      },
    }
  }

  /** Nobody joins any more once the chunks have ended, have been coming for too long, or are too many. */
  async function renderNext(rendering: Rendering): Promise<Link | undefined> {
    let ends = true
    try {
      const { done, value } = await rendering.chunks.next()
      ends = done === true
      rendering.rendered += 1
      return ends ? undefined : linkTo(rendering, value)
    } finally {
      if (ends || !isYoung(rendering)) close(rendering)
      boundKept()
    }
  }

  /** Gives up what the most is kept for: that one may join a rendering, then the reader of it that is farthest behind. */
  function boundKept(): void {
    const renderings = ongoing()
    let kept = renderings.reduce((sum, rendering) => sum + keptBy(rendering), 0)
    while (kept > maxKeptChunks) {
      const most = renderings.reduce((one, other) => (keptBy(other) > keptBy(one) ? other : one))
      kept -= keptBy(most)
      if (most.beginning !== undefined) close(most)
      else cutSlowest(most)
      kept += keptBy(most)
    }
  }

  function ongoing(): readonly Rendering[] {
    return [...live].flatMap((reference) => {
      const rendering = reference.deref()
      if (rendering !== undefined && rendering.readers.size > 0) return [rendering]
      live.delete(reference)
      return []
    })
  }

  function isYoung({ begun, rendered }: Rendering): boolean {
    return rendered < joinableChunks && clock.monotonicTime() - begun < joinableMilliseconds
  }

  /** Of readers that never ask for the next chunk the renderings stand here until then, in the order of their beginning. */
  function closeOld(): void {
    for (const rendering of renderings.values()) {
      if (clock.monotonicTime() - rendering.begun < joinableMilliseconds) return
      close(rendering)
    }
  }

  /** Lets nobody join, so that what all readers have passed can be let go of. */
  function close(rendering: Rendering): void {
    rendering.beginning = undefined
    if (renderings.get(rendering.name) === rendering) renderings.delete(rendering.name)
  }

  async function* follow(
    name: string,
    start: () => StartedRendering,
    passed: (link: Link) => void,
  ): AsyncGenerator<Uint8Array> {
    const rendering = join(name, start)
    const reader: Reader = { position: 0, link: undefined, isCut: false }
    rendering.readers.add(reader)
    try {
      reader.link = await rendering.beginning?.()
      while (reader.link !== undefined) {
        // Nothing but the reader holds the link, so that what follows is free once the reader is cut.
        yield reader.link.chunk
        if (reader.isCut) throw new Error('the reader of a scrape is too far behind the others, and was cut off')
        reader.position += 1
        passed(reader.link)
        reader.link = await reader.link.next()
      }
    } finally {
      rendering.readers.delete(reader)
      if (rendering.readers.size === 0) {
        close(rendering)
        await rendering.chunks.return(undefined)
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

/** How many chunks are kept for one who may join, or for the reader that is farthest behind: besides the one that it reads. */
function keptBy({ rendered, readers, beginning }: Rendering): number {
  if (beginning !== undefined) return rendered
  return [...readers].reduce((most, { position }) => Math.max(most, rendered - position - 1), 0)
}

function cutSlowest({ readers }: Rendering): void {
  const [slowest] = [...readers].sort((one, other) => one.position - other.position)
  if (slowest === undefined) return
  slowest.isCut = true
  slowest.link = undefined
  readers.delete(slowest)
}

interface Rendering extends StartedRendering {
  readonly name: string
  /** By the monotonic clock. */
  readonly begun: number
  /** So many chunks. */
  rendered: number
  readonly readers: Set<Reader>
  /** Asks for the first chunk, as long as one more reader may join. */
  beginning: (() => Promise<Link | undefined>) | undefined
}

interface Reader {
  /** How many chunks it is done with. */
  position: number
  /** The chunk that it reads, and by it all that follow. */
  link: Link | undefined
  isCut: boolean
}

/** A chunk that knows how to get the next, asked of the source once: who holds one keeps what follows, and nothing before. */
interface Link {
  readonly chunk: Uint8Array
  /** `undefined` after the last. */
  readonly next: () => Promise<Link | undefined>
  /** To be called by a reader that is done with the chunk; the last one to be lets it be used again. */
  pass(): void
}

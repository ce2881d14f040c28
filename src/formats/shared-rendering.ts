import type { Clock } from '../clock.ts'

/** Readers of the same page at the same time have it rendered once, and each reads it at its own pace. */
export interface SharedRenderings {
  /** The chunks of the rendering of this name that was begun lately and still goes on, or of one that is started now. */
  read(name: string, start: () => AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array>
}

/** How old a rendering may be for one more reader to join it: nobody is handed values from longer ago. */
const joinableMilliseconds = 1_000

export function createSharedRenderings(clock: Clock): SharedRenderings {
  const renderings = new Map<string, Rendering>()

  function join(name: string, start: () => AsyncGenerator<Uint8Array>): Rendering {
    const going = renderings.get(name)
    if (going !== undefined && isYoung(going)) return going
    const rendering: Rendering = {
      name,
      begun: clock.monotonicTime(),
      chunks: start(),
      readers: 0,
      beginning: undefined,
    }
    rendering.beginning = linkTo(rendering)
    renderings.set(name, rendering)
    return rendering
  }

  function linkTo(rendering: Rendering, chunk?: Uint8Array): Link {
    let following: Promise<Link | undefined> | undefined
    return {
      chunk,
      next() {
        following ??= renderNext(rendering)
        return following
      },
    }
  }

  /** Nobody joins any more once the chunks have ended, or have been coming for too long. */
  async function renderNext(rendering: Rendering): Promise<Link | undefined> {
    let ends = true
    try {
      const { done, value } = await rendering.chunks.next()
      ends = done === true
      return ends ? undefined : linkTo(rendering, value)
    } finally {
      if (ends || !isYoung(rendering)) close(rendering)
    }
  }

  function isYoung({ begun }: Rendering): boolean {
    return clock.monotonicTime() - begun < joinableMilliseconds
  }

  /** Lets nobody join, so that what all readers have passed can be let go of. */
  function close(rendering: Rendering): void {
    rendering.beginning = undefined
    if (renderings.get(rendering.name) === rendering) renderings.delete(rendering.name)
  }

  return {
    async *read(name, start) {
      const rendering = join(name, start)
      rendering.readers++
      try {
        let link = rendering.beginning
        while (link !== undefined) {
          link = await link.next()
          if (link?.chunk !== undefined) yield link.chunk
        }
      } finally {
        rendering.readers--
        if (rendering.readers === 0) {
          close(rendering)
          await rendering.chunks.return(undefined)
        }
      }
    },
  }
}

interface Rendering {
  readonly name: string
  /** By the monotonic clock. */
  readonly begun: number
  readonly chunks: AsyncGenerator<Uint8Array>
  readers: number
  /** The link before the first chunk, as long as one more reader may join. */
  beginning: Link | undefined
}

/** A chunk that knows how to get the next, asked of the source once: who holds one keeps what follows, and nothing before. */
interface Link {
  readonly chunk: Uint8Array | undefined
  /** `undefined` after the last. */
  next(): Promise<Link | undefined>
}

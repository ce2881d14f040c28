import { withErrorCode } from '../../base/errors.ts'
import type { StoredCapture } from './capture.ts'

/** Where captures are stored. */
export interface CaptureMedium {
  /** Resolves with the captures, the oldest first. Never rejects. */
  readonly list: () => Promise<readonly StoredCapture[]>
  /** Rejects if it cannot be stored. */
  readonly write: (capture: StoredCapture, content: Uint8Array) => Promise<void>
  /** Resolves with `undefined` if the content does not exist any more. */
  readonly read: (capture: StoredCapture) => Promise<Uint8Array | undefined>
  /** Never rejects. */
  readonly remove: (capture: StoredCapture) => Promise<void>
}

interface ShelfLimits {
  readonly maximumCaptures: number
  readonly maximumBytes: number
}

/** Captures on one medium, within limits of their number and size. */
export class CaptureShelf {
  readonly medium: CaptureMedium
  readonly #limits: ShelfLimits
  #dropped = 0

  constructor(medium: CaptureMedium, limits: ShelfLimits) {
    this.medium = medium
    this.#limits = limits
  }

  /** How many captures were removed because of a limit. */
  get dropped(): number {
    return this.#dropped
  }

  /** Stores a capture in place of older ones. Rejects if it exceeds the limit by itself, or cannot be stored. */
  async add(capture: StoredCapture, content: Uint8Array): Promise<void> {
    const { maximumBytes } = this.#limits
    if (content.byteLength > maximumBytes) {
      throw withErrorCode(
        new RangeError(`${content.byteLength} bytes exceed the limit of ${maximumBytes}`),
        'UPKEEP_ECAPTURE',
      )
    }
    for (const removed of this.#excess(await this.medium.list(), content.byteLength)) {
      await this.medium.remove(removed)
      this.#dropped += 1
    }
    await this.medium.write(capture, content)
  }

  /** Returns the captures to remove before one more is stored. */
  #excess(captures: readonly StoredCapture[], bytes: number): readonly StoredCapture[] {
    const { maximumCaptures, maximumBytes } = this.#limits
    let kept = captures
    let used = kept.reduce((sum, capture) => sum + capture.bytes, bytes)
    while (kept.length > 0 && (kept.length >= maximumCaptures || used > maximumBytes)) {
      const removed = leastValuable(kept)
      kept = kept.filter((capture) => capture !== removed)
      used -= removed?.bytes ?? 0
    }
    return captures.filter((capture) => !kept.includes(capture))
  }
}

/** Returns the oldest capture of the rule that has most: a rule that applies often does not remove those of others. */
function leastValuable(captures: readonly StoredCapture[]): StoredCapture | undefined {
  const countOf = ({ rule }: StoredCapture) => captures.filter((other) => other.rule === rule).length
  return captures.toSorted((one, other) => countOf(other) - countOf(one))[0]
}

/** Returns a medium that keeps captures in memory. */
export function memoryMedium(): CaptureMedium {
  const contents = new Map<string, readonly [capture: StoredCapture, content: Uint8Array]>()
  return {
    list: async () => [...contents.values()].map(([capture]) => capture),
    write: async (capture, content) => void contents.set(capture.id, [capture, content]),
    read: async ({ id }) => contents.get(id)?.[1],
    remove: async ({ id }) => void contents.delete(id),
  }
}

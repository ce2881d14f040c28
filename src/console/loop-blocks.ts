/** What the flight recorder states of a capture. */
export interface CaptureFacts {
  readonly id: string
  readonly rule: string
  /** When the rule applied, in ISO 8601. */
  readonly time: string
  readonly details: Readonly<Record<string, unknown>>
}

/** A block of the event loop that the flight recorder has captured. */
export interface LoopBlock {
  readonly captureId: string
  /** When it ended. */
  readonly at: number
  readonly seconds: number
  /** Such as `parseCsv, orders.js:41`; `undefined` if no stack was read. */
  readonly place: string | undefined
}

const maxBlocks = 20
const maxNameLength = 100

/** The last blocks of the event loop that the flight recorder has captured. */
export class LoopBlocks {
  #blocks: LoopBlock[] = []

  /** Ignores what other rules have captured. */
  add({ id, rule, time, details }: CaptureFacts): void {
    const { blockedMilliseconds, stack } = details
    if (rule !== 'blocked-loop' || typeof blockedMilliseconds !== 'number') return
    const place = Array.isArray(stack) ? placeOf(stack) : undefined
    const at = Date.parse(time) + blockedMilliseconds
    this.#blocks = [...this.#blocks, { captureId: id, at, seconds: blockedMilliseconds / 1_000, place }].slice(
      -maxBlocks,
    )
  }

  /** Returns the longest block since a time. */
  longestSince(earliest: number): LoopBlock | undefined {
    const recent = this.#blocks.filter(({ at }) => at >= earliest)
    return recent.sort((one, other) => other.seconds - one.seconds)[0]
  }
}

/** Returns the innermost function of the application, or else the innermost one: a block begins in a library or Node. */
function placeOf(stack: readonly unknown[]): string | undefined {
  const frames = stack.filter((line) => typeof line === 'string').map(readFrame)
  const own = frames.find(({ file }) => !file.startsWith('node:') && !file.includes('node_modules'))
  const frame = own ?? frames[0]
  if (frame === undefined) return undefined
  const { name, file, line } = frame
  const shown = `${file.slice(file.lastIndexOf('/') + 1)}${line === '' ? '' : `:${line}`}`
  return name === '' || name === '<anonymous>' ? shown : `${name.slice(0, maxNameLength)}, ${shown}`
}

/** Reads a line such as `at parseCsv (file:///app/orders.js:41:17)` or `at file:///app/orders.js:12:3`. */
function readFrame(text: string): { readonly name: string; readonly file: string; readonly line: string } {
  const frame = text.startsWith('at ') ? text.slice(3) : text
  const open = frame.lastIndexOf(' (')
  const [name, place] = open < 0 ? ['', frame] : [frame.slice(0, open), frame.slice(open + 2, -1)]
  const column = place.lastIndexOf(':')
  const row = place.lastIndexOf(':', column - 1)
  return row <= 0
    ? { name, file: place, line: '' }
    : { name, file: place.slice(0, row), line: place.slice(row + 1, column) }
}

/** Minutes that are remembered, and how many are needed. */
const minutes = 60
const minimumMinutes = 10

/** Requests of a minute from which its quantile means something. */
export const minimumRequests = 20

/** The memory of an instance, in bytes. */
export const routeMinutesBytes: number = minutes * 10 + 120

/** A share from 0 to 1 is kept in 16 bits. */
const shareSteps = 0xffff

/** A minute of a route: its number, its 99th percentile in seconds, and the share of its requests that failed. */
export interface RouteMinute {
  readonly window: number
  readonly p99: number
  readonly errorShare: number
}

/** The last minutes of a route that had enough requests. */
export class RouteMinutes {
  readonly #p99 = new Float32Array(minutes)
  readonly #errorShares = new Uint16Array(minutes)
  readonly #windows = new Uint32Array(minutes)
  #count = 0

  add(window: number, requests: number, errors: number, p99: number | null): void {
    if (p99 === null || requests < minimumRequests) return
    const at = this.#count % minutes
    this.#p99[at] = p99
    this.#errorShares[at] = Math.round((errors / requests) * shareSteps)
    this.#windows[at] = window
    this.#count += 1
  }

  /** The median of their 99th percentiles; `undefined` if there are too few. */
  get usualP99(): number | undefined {
    const size = Math.min(this.#count, minutes)
    return size < minimumMinutes ? undefined : this.#p99.slice(0, size).sort()[Math.floor(size / 2)]
  }

  /** Returns the minutes, the oldest first. */
  read(): readonly RouteMinute[] {
    const size = Math.min(this.#count, minutes)
    return Array.from({ length: size }, (_, index) => {
      const at = (this.#count - size + index) % minutes
      return {
        window: this.#windows[at] as number,
        p99: this.#p99[at] as number,
        errorShare: (this.#errorShares[at] as number) / shareSteps,
      }
    })
  }
}

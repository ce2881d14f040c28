import autocannon from 'autocannon'

/** The part of the load generator that is used. */
interface Running extends PromiseLike<Readonly<Record<'2xx' | 'non2xx' | 'errors' | 'timeouts' | 'resets', number>>> {
  stop(): void
}

/** The result of a load. */
export interface LoadResult {
  readonly succeeded: number
  /** Connection errors, timeouts, responses other than 2xx, and resets. */
  readonly failed: {
    readonly errors: number
    readonly timeouts: number
    readonly others: number
    readonly resets: number
  }
}

/** Starts load on a URL over ten persistent connections. */
export function startLoad(url: string, { method = 'GET', rate = 300 } = {}): { stop(): Promise<LoadResult> } {
  const running: Running = autocannon({ url, method, connections: 10, overallRate: rate, duration: 600, timeout: 10 })
  return {
    async stop() {
      running.stop()
      const result = await running
      const { errors, timeouts, resets, non2xx: others } = result
      return { succeeded: result['2xx'], failed: { errors, timeouts, resets, others } }
    },
  }
}

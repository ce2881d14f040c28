import autocannon from 'autocannon'

/** What is used of the load generator. */
interface Running extends PromiseLike<Readonly<Record<'2xx' | 'non2xx' | 'errors' | 'timeouts' | 'resets', number>>> {
  stop(): void
}

/** What came of a load. */
export interface LoadResult {
  readonly succeeded: number
  /** Connections that broke, answers that did not come in time, and those that were not 2xx. */
  readonly failed: {
    readonly errors: number
    readonly timeouts: number
    readonly others: number
    readonly resets: number
  }
}

/** Load on a URL over ten connections that are kept alive, until it is stopped. */
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

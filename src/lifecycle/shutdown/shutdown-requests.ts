/** The shutdowns that the endpoint `shutdown` can start. */
export interface ShutdownRequests {
  /** Registers a function that starts a shutdown. Returns a function that removes it. */
  onShutdownRequest(start: (reason: string) => unknown): () => void
  /** Starts all shutdowns. Returns whether there was one. */
  request(reason: string): boolean
}

export function createShutdownRequests(): ShutdownRequests {
  const starts = new Set<{ readonly start: (reason: string) => unknown }>()
  return {
    onShutdownRequest(start) {
      const entry = { start }
      starts.add(entry)
      return () => void starts.delete(entry)
    },
    request(reason) {
      for (const { start } of starts) start(reason)
      return starts.size > 0
    },
  }
}

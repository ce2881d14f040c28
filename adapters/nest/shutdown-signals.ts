/** The signals that end a service. */
const signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP']

/** The latest signal that has requested the end of this process. */
export interface ShutdownSignals {
  readonly latest: NodeJS.Signals | undefined
  remove(): void
}

/**
 * Watches which signal ends the process, since Nest does not pass it to the first of its hooks. A signal that nothing
 * else listens to keeps its default effect.
 */
export function watchShutdownSignals(): ShutdownSignals {
  let latest: NodeJS.Signals | undefined
  const listen = (signal: NodeJS.Signals): void => {
    latest = signal
    if (process.listenerCount(signal) > 1) return
    remove()
    process.kill(process.pid, signal)
  }
  const remove = (): void => {
    for (const signal of signals) process.off(signal, listen)
  }
  for (const signal of signals) process.prependListener(signal, listen)
  return {
    get latest() {
      return latest
    },
    remove,
  }
}

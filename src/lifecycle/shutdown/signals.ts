import { isatty } from 'node:tty'
import type { Clock } from '../../base/clock.ts'

/**
 * The same signal within this time is a duplicate: npm forwards the Ctrl-C that the terminal has sent to all processes.
 */
const duplicateMilliseconds = 100

/**
 * Calls `first` on the first of the signals, and `second` on each later one. Returns a function that stops listening,
 * which restores the default effect of the signals.
 */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  { first, second }: Readonly<Record<'first' | 'second', (signal: NodeJS.Signals) => void>>,
  clock: Clock,
): () => void {
  let latest: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const receive = (signal: NodeJS.Signals): void => {
    const at = clock.monotonicTime()
    if (latest === undefined) first(signal)
    else if (signal !== latest.signal || at - latest.at > duplicateMilliseconds) second(signal)
    else return
    latest = { signal, at }
  }
  const listeners = [...new Set(signals)].map((signal) => [signal, () => receive(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/**
 * Whether a developer waits for the end of this process: after Ctrl-C in a terminal, or a restart by `node --watch`,
 * which sets a variable for its child process.
 */
export function isDevelopment(signal: NodeJS.Signals): boolean {
  return process.env['WATCH_REPORT_DEPENDENCIES'] !== undefined || (signal === 'SIGINT' && [0, 1, 2].some(isatty))
}

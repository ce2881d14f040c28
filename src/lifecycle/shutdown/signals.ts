import type { Clock } from '../../base/clock.ts'

/** A signal that comes again so soon is the same one: npm hands on the Ctrl-C that the terminal has sent to all. */
const echoMilliseconds = 100

/**
 * Calls `first` at the first of the signals, and `second` at the next one. Answers how to stop listening, which gives the
 * signals back their usual effect.
 */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  { first, second }: Readonly<Record<'first' | 'second', (signal: NodeJS.Signals) => void>>,
  clock: Clock,
): () => void {
  let latest: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const hear = (signal: NodeJS.Signals): void => {
    const at = clock.monotonicTime()
    if (latest === undefined) first(signal)
    else if (signal !== latest.signal || at - latest.at > echoMilliseconds) second(signal)
    else return
    latest = { signal, at }
  }
  const listeners = [...new Set(signals)].map((signal) => [signal, () => hear(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

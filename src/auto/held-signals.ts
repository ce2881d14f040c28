/** Signals that the application receives only after its requests have been served. */
export interface HeldSignals {
  /**
   * Holds the signals from now on: `drain` is called with the first one. The application receives it when that has
   * resolved; without handlers of its own the process ends by the signal.
   */
  arm(drain: (signal: NodeJS.Signals, hasHandlers: boolean) => Promise<unknown>): void
}

const held: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

/** The same signal within this time is a duplicate: npm forwards the Ctrl-C that a terminal has sent to all processes. */
const duplicateMilliseconds = 100

/**
 * Prepares to hold SIGTERM and SIGINT. Must be called before the application handles one of them: Node binds
 * `process.emit` at the first listener of a signal.
 */
export function holdSignals(): HeldSignals {
  const emit = process.emit
  let drain: ((signal: NodeJS.Signals, hasHandlers: boolean) => Promise<unknown>) | undefined
  /** waiting → draining → over, where signals have the effect that they would have without this file */
  let state: 'waiting' | 'draining' | 'over' = 'waiting'
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined

  const deliver = (signal: NodeJS.Signals, args: readonly unknown[]): void => {
    if (state === 'over') return
    state = 'over'
    for (const each of held) process.off(each, keepAlive)
    if (process.listenerCount(signal) > 0) Reflect.apply(emit, process, args)
    else process.kill(process.pid, signal)
  }

  const receive = (signal: NodeJS.Signals, args: readonly unknown[]): void => {
    const now = performance.now()
    if (first !== undefined) {
      if (signal !== first.signal || now - first.at > duplicateMilliseconds) deliver(signal, args)
      return
    }
    state = 'draining'
    first = { signal, at: now }
    const end = () => deliver(signal, args)
    const hasHandlers = process.listenerCount(signal) > 1
    drain?.(signal, hasHandlers).then(end, end)
  }

  const beforeHandlers = function (this: unknown, ...args: readonly unknown[]): boolean {
    const signal = held.find((each) => each === args[0])
    if (signal === undefined || drain === undefined || state === 'over') return Reflect.apply(emit, this, args)
    receive(signal, args)
    return true
  }
  Object.defineProperty(process, 'emit', { value: beforeHandlers, configurable: true, writable: true })
  bindAgain()

  return {
    arm(newDrain) {
      drain = newDrain
      // Without any listener, a signal would end the process at once.
      for (const each of held) process.on(each, keepAlive)
    },
  }
}

/** Adds the listeners that other preloaded files have added once more, so that Node binds the new `process.emit`. */
function bindAgain(): void {
  for (const signal of held) {
    const listeners = process.rawListeners(signal)
    if (listeners.length === 0) continue
    process.removeAllListeners(signal)
    // Safe: they were listeners of the same signal.
    for (const listener of listeners) process.on(signal, listener as NodeJS.SignalsListener)
  }
}

function keepAlive(): void {}

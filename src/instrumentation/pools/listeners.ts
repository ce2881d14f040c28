/** What emits events. */
interface Emitter {
  on(event: string, listener: (...args: unknown[]) => void): unknown
  removeListener(event: string, listener: (...args: unknown[]) => void): unknown
}

/** Adds listeners by event. Returns a function that removes them. */
export function addListeners(
  emitter: Emitter,
  listeners: Readonly<Record<string, (...args: unknown[]) => void>>,
): () => void {
  for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(listeners)) emitter.removeListener(event, listener)
  }
}

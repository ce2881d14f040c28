/** Combines several unsubscribe functions. */
export function combineUnsubscribes(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}

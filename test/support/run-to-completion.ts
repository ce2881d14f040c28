/** Runs a generator to its end, and returns its result. */
export function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

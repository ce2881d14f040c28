/** Does all of some work that yields in between, in one go. */
export function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

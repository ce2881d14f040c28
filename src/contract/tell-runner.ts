/** Called for each skipped case if the test runner cannot report one. */
export type OnSkip = (name: string, reason: string) => void

export function sayOnConsole(name: string, reason: string): void {
  console.info(`skipped ${name}: ${reason}`)
}

interface Skipping {
  readonly skip?: unknown
  readonly test?: { title?: unknown }
}

/**
 * Reports a running test as skipped: vitest and node:test pass a context, Mocha sets `this`, and both have a method for
 * it. Jest has none; `otherwise` is called instead.
 */
export function tellRunner(self: unknown, context: unknown, reason: string, otherwise: () => void): void {
  const handed = (context ?? {}) as Skipping
  const own = (self ?? {}) as Skipping
  if (typeof handed.skip === 'function') {
    handed.skip(reason)
  } else if (typeof own.skip === 'function') {
    // Mocha takes no reason; it shows the title.
    if (own.test !== undefined) own.test.title = `${own.test.title} (${reason})`
    own.skip()
  } else {
    otherwise()
  }
}

/** Told of what is skipped where the test runner has no word for it. */
export type OnSkip = (name: string, reason: string) => void

export function sayOnConsole(name: string, reason: string): void {
  console.info(`skipped ${name}: ${reason}`)
}

interface Skipping {
  readonly skip?: unknown
  readonly test?: { title?: unknown }
}

/**
 * Has a test that runs reported as skipped: vitest and node:test hand a context to it, Mocha has it as `this`, and both have
 * a method for it. Jest has no way to be told: there `otherwise` is called.
 */
export function tellRunner(self: unknown, context: unknown, reason: string, otherwise: () => void): void {
  const handed = (context ?? {}) as Skipping
  const own = (self ?? {}) as Skipping
  if (typeof handed.skip === 'function') {
    handed.skip(reason)
  } else if (typeof own.skip === 'function') {
    // Mocha takes no reason, and shows the title.
    if (own.test !== undefined) own.test.title = `${own.test.title} (${reason})`
    own.skip()
  } else {
    otherwise()
  }
}

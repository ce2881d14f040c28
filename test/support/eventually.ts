import { vi } from 'vitest'

/**
 * Repeats an attempt until it succeeds, and resolves with what it returns. Rejects with its last error after a minute:
 * much longer than it takes on a machine that is slow and busy.
 */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 180_000, interval: 20 })
}

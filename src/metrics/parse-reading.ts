import { ignoreRejection, unexpected } from '../base/callback.ts'
import type { TimedTotal } from './function-timer.ts'

/** Reads a number; `undefined` and `null` mean that there is nothing to read yet. Throws `TypeError` for anything else. */
export function parseNumber(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return value
  throw unexpected('a number', value)
}

/** Reads a count and a total, of which neither may be missing where the other is given. Throws `TypeError` for anything else. */
export function parseTimedTotal(value: unknown): TimedTotal | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || !('count' in value && 'total' in value)) throw unexpected('{ count, total }', value)
  const { count, total } = value
  for (const [name, member] of [
    ['count', count],
    ['total', total],
  ] as const) {
    ignoreRejection(member)
    if (typeof member !== 'number') throw unexpected(`{ count, total } with a number as ${name}`, member)
  }
  return { count, total } as TimedTotal
}

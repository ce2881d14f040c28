import { kindOf } from './callback.ts'

/**
 * Returns a received value for an error message: strings, numbers and booleans as they are, anything else by its type.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? kindOf(value) : String(value)
}

import { errorName } from '../metrics/timed-work.ts'
import type { Attributes } from './span.ts'

/** What was thrown, as an event of a span tells it. Looking at it may throw again, which must not cost the service. */
export function exceptionAttributes(error: unknown): Attributes {
  try {
    return {
      'exception.type': errorName(error),
      'exception.message': messageOf(error),
      'exception.stacktrace': error instanceof Error ? error.stack : undefined,
    }
  } catch {
    return { 'exception.type': 'unknown' }
  }
}

export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'unknown'
  }
}

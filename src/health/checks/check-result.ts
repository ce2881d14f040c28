import { unexpected } from '../../base/callback.ts'
import { describeError } from '../../base/error-text.ts'
import type { Health } from '../indicator.ts'

/**
 * Converts what an indicator returned to a health. Details are copied as JSON, so later changes do not affect the
 * result: errors become their message without credentials, BigInts become numbers (strings beyond 2^53).
 *
 * @throws TypeError if it is neither a status nor a health.
 */
export function toHealth(returned: unknown): Health {
  const { status, description, details } = typeof returned === 'string' ? { status: returned } : membersOf(returned)
  if (typeof status !== 'string' || status === '') {
    throw unexpected("a status such as 'UP', or { status, details }", returned)
  }
  return {
    status,
    ...(typeof description === 'string' && { description }),
    ...(typeof details === 'object' && details !== null && { details: copyDetails(details) }),
  }
}

/** Returns `DOWN` with the error, without credentials, as `details.error`. */
export function healthOfError(error: unknown): Health {
  return { status: 'DOWN', details: { error: describeError(error) } }
}

function membersOf(returned: unknown): { status?: unknown; description?: unknown; details?: unknown } {
  return typeof returned === 'object' && returned !== null ? returned : {}
}

/** Returns a copy of the details; if they cannot be serialized only the error, so that the status is still reported. */
function copyDetails(details: object): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(JSON.stringify(details, replaceUnserializable))
  } catch (error) {
    return { error: `the details cannot be serialized as JSON: ${describeError(error)}` }
  }
}

function replaceUnserializable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Error ? describeError(value) : value
}

import { describeError } from './describe-error.ts'
import type { Health } from './indicator.ts'

/**
 * What an indicator answered, as a health of its own: whoever reports it later sees what was true then, as JSON.
 *
 * @throws TypeError when it is neither a status nor a health, or its details are not JSON.
 */
export function toHealth(answer: unknown): Health {
  const { status, description, details } = typeof answer === 'string' ? { status: answer } : partsOf(answer)
  if (typeof status !== 'string' || status === '') {
    throw new TypeError("a health check must answer a status such as 'UP', or { status, details }")
  }
  return {
    status,
    ...(typeof description === 'string' && { description }),
    ...(typeof details === 'object' && details !== null && { details: JSON.parse(JSON.stringify(details)) }),
  }
}

function partsOf(answer: unknown): { status?: unknown; description?: unknown; details?: unknown } {
  return typeof answer === 'object' && answer !== null ? answer : {}
}

/** A component that could not say how it is. */
export function downBecause(error: unknown): Health {
  return { status: 'DOWN', details: { error: describeError(error) } }
}

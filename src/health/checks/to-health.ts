import { describeError } from '../../base/error-text.ts'
import type { Health } from '../indicator.ts'

/**
 * What an indicator answered, as a health of its own: whoever reports it later sees what was true then, as JSON.
 *
 * @throws TypeError when it is neither a status nor a health.
 */
export function toHealth(answer: unknown): Health {
  const { status, description, details } = typeof answer === 'string' ? { status: answer } : partsOf(answer)
  if (typeof status !== 'string' || status === '') {
    throw new TypeError("a health check must answer a status such as 'UP', or { status, details }")
  }
  return {
    status,
    ...(typeof description === 'string' && { description }),
    ...(typeof details === 'object' && details !== null && { details: copyDetails(details) }),
  }
}

function partsOf(answer: unknown): { status?: unknown; description?: unknown; details?: unknown } {
  return typeof answer === 'object' && answer !== null ? answer : {}
}

/** What no JSON can be made of costs the details, and not the component its status. */
function copyDetails(details: object): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(JSON.stringify(details, tellPlainly))
  } catch (error) {
    return { error: `the details are no JSON: ${describeError(error)}` }
  }
}

/** JSON has no form for what details often hold: an error, of which it would tell nothing, and a BigInt. */
function tellPlainly(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Error ? describeError(value) : value
}

/** A component that could not say how it is. */
export function downBecause(error: unknown): Health {
  return { status: 'DOWN', details: { error: describeError(error) } }
}

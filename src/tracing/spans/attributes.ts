import { hideCredentials } from '../../base/redaction.ts'
import { errorName } from '../../base/settled-work.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** OpenTelemetry's default attribute count limit of a span. */
const maxAttributes = 128

/** Attributes that are computed when the span is exported, after the request that they describe has ended. */
export interface DeferredAttributes {
  compute(): Attributes
}

/** Computes deferred attributes. They are recognized by shape: another copy of upkeep may have created them. */
export function computeAttributes(attributes: Attributes | DeferredAttributes | undefined): Attributes | undefined {
  return isDeferred(attributes) ? attributes.compute() : attributes
}

function isDeferred(attributes: Attributes | DeferredAttributes | undefined): attributes is DeferredAttributes {
  return typeof attributes?.['compute'] === 'function'
}

/** Omits attributes without a value, and those beyond the limit. */
export function limitAttributes(attributes: Attributes): Readonly<Record<string, AttributeValue>> {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, AttributeValue] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries.slice(0, maxAttributes))
}

/** Returns how many attributes `limitAttributes` omits because of the limit. */
export function countDropped(attributes: Attributes): number {
  return Math.max(0, Object.values(attributes).filter((value) => value !== undefined).length - maxAttributes)
}

/** Returns the attributes of an exception event, without credentials. Never throws, even if reading the error does. */
export function exceptionAttributes(error: unknown): Attributes {
  try {
    return {
      'exception.type': errorName(error),
      'exception.message': errorMessage(error),
      'exception.stacktrace': error instanceof Error ? stackOf(error) : undefined,
    }
  } catch {
    return { 'exception.type': 'unknown' }
  }
}

/** Returns the message of an error without credentials. Never throws. */
export function errorMessage(error: unknown): string {
  try {
    return hideCredentials(error instanceof Error ? String(error.message) : String(error))
  } catch {
    return 'unknown'
  }
}

/** Returns the stack with its message redacted; the stack frames contain no credentials. */
function stackOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string') return undefined
  const at = message === '' ? -1 : stack.indexOf(message)
  if (at === -1) return message === '' ? stack : hideCredentials(stack)
  return `${stack.slice(0, at)}${hideCredentials(message)}${stack.slice(at + message.length)}`
}

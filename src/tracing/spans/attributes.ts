import { hideCredentials } from '../../base/redaction.ts'
import { errorName } from '../../base/settled-work.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** OpenTelemetry's default attribute count limit of a span. */
export const maxAttributes = 128

/** The value of an attribute that is exported: those of OpenTelemetry's API may be arrays of one type. */
export type RecordedValue =
  | AttributeValue
  | (string | null | undefined)[]
  | (number | null | undefined)[]
  | (boolean | null | undefined)[]

/** Attributes of a span, an event or a link. Those that are `undefined` are omitted. */
export type RecordedAttributes = Readonly<Record<string, RecordedValue | undefined>>

/** Receives an attribute that has a value. */
export type AddAttribute = (key: string, value: RecordedValue) => void

/** Attributes that are computed when the span is exported, after the request that they describe has ended. */
export interface DeferredAttributes {
  compute(): Attributes
  /** Passes each attribute that `compute` returns, at most 128, without an object for them. */
  readonly forEach?: (add: AddAttribute) => void
}

type InitialAttributes = RecordedAttributes | DeferredAttributes | undefined

/** Joins attributes; those that were added later replace others. Computes deferred ones. */
export function joinAttributes(initial: InitialAttributes, added: RecordedAttributes | undefined): RecordedAttributes {
  const computed = isDeferred(initial) ? initial.compute() : (initial ?? {})
  return added === undefined ? computed : { ...computed, ...added }
}

/** Passes joined attributes one by one, at most 128; deferred ones without an object for them, if none were added. */
export function forEachAttribute(
  initial: InitialAttributes,
  added: RecordedAttributes | undefined,
  add: AddAttribute,
): void {
  if (added === undefined && isDeferred(initial) && initial.forEach !== undefined) {
    initial.forEach(add)
    return
  }
  const attributes = limitAttributes(joinAttributes(initial, added))
  for (const key in attributes) add(key, attributes[key] as RecordedValue)
}

/** They are recognized by shape: another copy of upkeep may have created them. */
function isDeferred(attributes: InitialAttributes): attributes is DeferredAttributes {
  return typeof attributes?.['compute'] === 'function'
}

/** Omits attributes without a value, and those beyond the limit. */
export function limitAttributes(attributes: RecordedAttributes): Readonly<Record<string, RecordedValue>> {
  if (isWithinLimit(attributes)) return attributes
  const entries = Object.entries(attributes).filter((entry): entry is [string, RecordedValue] => entry[1] !== undefined)
  return Object.fromEntries(entries.slice(0, maxAttributes))
}

/** Whether there is nothing to omit, as for most spans, whose attributes need no copy then. */
function isWithinLimit(attributes: RecordedAttributes): attributes is Readonly<Record<string, RecordedValue>> {
  let count = 0
  for (const key in attributes) {
    if (attributes[key] === undefined) return false
    count += 1
  }
  return count <= maxAttributes
}

/** Returns how many attributes `limitAttributes` omits because of the limit. */
export function countDropped(attributes: RecordedAttributes): number {
  return Math.max(0, Object.values(attributes).filter((value) => value !== undefined).length - maxAttributes)
}

/**
 * Returns the attributes that OpenTelemetry's API accepts, of what an instrumentation passed: strings, numbers,
 * booleans, and copies of arrays of one of these. Others, and those with an empty key, are omitted.
 */
export function acceptedAttributes(given: unknown): RecordedAttributes {
  if (typeof given !== 'object' || given === null) return {}
  const entries = Object.entries(given).filter(([key, value]) => key !== '' && isRecordable(value))
  return Object.fromEntries(entries.map(([key, value]) => [key, Array.isArray(value) ? [...value] : value]))
}

function isRecordable(value: unknown): value is RecordedValue {
  if (!Array.isArray(value)) return isScalar(value)
  const [first, ...others] = value.filter((each) => each !== null && each !== undefined)
  return first === undefined || (isScalar(first) && others.every((each) => typeof each === typeof first))
}

function isScalar(value: unknown): value is AttributeValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
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

/**
 * Like `exceptionAttributes`, for an exception of OpenTelemetry's API: one that is not an `Error` may have its
 * properties.
 */
export function apiExceptionAttributes(exception: unknown): RecordedAttributes {
  if (typeof exception !== 'object' || exception === null || exception instanceof Error) {
    return exceptionAttributes(exception)
  }
  try {
    const { name, message = '', stack } = exception as Partial<Record<'name' | 'message' | 'stack', unknown>>
    if (typeof name !== 'string' || typeof message !== 'string') return exceptionAttributes(exception)
    return {
      'exception.type': name,
      'exception.message': message === '' ? undefined : hideCredentials(message),
      'exception.stacktrace': typeof stack === 'string' ? stackOf({ name, stack, message }) : undefined,
    }
  } catch {
    return exceptionAttributes(exception)
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

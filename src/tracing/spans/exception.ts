import { hideCredentials } from '../../base/redaction.ts'
import { errorName } from '../../base/settled-work.ts'
import type { Attributes } from '../span.ts'

/** What was thrown, as an event of a span tells it, without credentials. Looking at it may throw again, which must not cost the service. */
export function exceptionAttributes(error: unknown): Attributes {
  try {
    return {
      'exception.type': errorName(error),
      'exception.message': messageOf(error),
      'exception.stacktrace': error instanceof Error ? stackOf(error) : undefined,
    }
  } catch {
    return { 'exception.type': 'unknown' }
  }
}

export function messageOf(error: unknown): string {
  try {
    return hideCredentials(error instanceof Error ? String(error.message) : String(error))
  } catch {
    return 'unknown'
  }
}

/** The stack with the message as it may be told in place of the original, and its frames, which hold none of it. */
function stackOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string') return undefined
  const at = message === '' ? -1 : stack.indexOf(message)
  if (at === -1) return message === '' ? stack : hideCredentials(stack)
  return `${stack.slice(0, at)}${hideCredentials(message)}${stack.slice(at + message.length)}`
}

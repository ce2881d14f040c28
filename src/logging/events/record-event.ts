import { type EventContent, LineEvent, readContent } from './line-event.ts'
import type { LoggedError } from './log-event.ts'

/** The event of a record of `createLogger`, or of winston. */
export class RecordEvent extends LineEvent {
  protected read(fields: Readonly<Record<string, unknown>>): EventContent {
    const content = readContent(fields, 'message', (name) => name === 'timestamp')
    const { stack, ...attributes } = content.attributes
    if (typeof stack !== 'string' || content.error !== undefined) return content
    return { ...content, error: errorInStack(stack), attributes }
  }
}

/** Reads the error from its stack: winston writes that as a field, and no other property of the error. */
export function errorInStack(stack: string): LoggedError {
  const end = stack.search(/\n {4}at /)
  const head = end < 0 ? stack : stack.slice(0, end)
  const colon = head.indexOf(': ')
  const type = colon < 0 ? head : head.slice(0, colon)
  const isNamed = /^[\w$.]{1,128}$/.test(type)
  if (!isNamed) return { type: undefined, message: head, stack }
  return { type, message: colon < 0 ? undefined : head.slice(colon + 2), stack }
}

import { hideCredentials } from '../base/redaction.ts'

/** An error in a log record: without credentials, and without other properties such as the failed request. */
interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly code?: string | number
  readonly stack?: string
  readonly cause?: ErrorFields | string
  readonly errors?: readonly (ErrorFields | string)[]
}

/** The maximum depth of causes, which may be circular, and the maximum number of errors of an `AggregateError`. */
const maxDepth = 5

export function errorFields(error: Error, depth = 0): ErrorFields {
  const { name, message, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  const errors: unknown = 'errors' in error ? error.errors : undefined
  const frames = framesOf(error.stack, String(message))
  const text = hideCredentials(String(message))
  const isDeep = depth >= maxDepth
  return {
    type: String(name),
    message: text,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(frames !== '' && { stack: `${name}: ${text}${frames}` }),
    ...(cause !== undefined && cause !== null && !isDeep && { cause: thrownFields(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      !isDeep && { errors: errors.slice(0, maxDepth).map((each) => thrownFields(each, depth + 1)) }),
  }
}

function thrownFields(thrown: unknown, depth: number): ErrorFields | string {
  if (thrown instanceof Error) return errorFields(thrown, depth)
  return hideCredentials(typeof thrown === 'object' ? 'an object' : String(thrown))
}

/** Longer stacks are truncated. Those of Node have ten frames. */
const maxFramesLength = 16_384

/**
 * Returns the frames at the end of a stack, without the message before them, in time linear in the stack. Lines of the
 * message that look like frames are not among them, unless the message has been changed since the stack was captured.
 */
function framesOf(stack: unknown, message: string): string {
  if (typeof stack !== 'string') return ''
  const text = stack.trimEnd()
  const start = endOfMessage(stack, message)
  let first = text.length
  while (first > start) {
    const line = text.lastIndexOf('\n', first - 1)
    if (line < start || !text.startsWith('\n    at ', line)) break
    first = line
  }
  return text.slice(first, first + maxFramesLength)
}

/** Returns where the message ends in `<name>: <message>\n    at …`, or 0 if the stack does not begin like this. */
function endOfMessage(stack: string, message: string): number {
  const colon = stack.indexOf(': ')
  const newline = stack.indexOf('\n')
  const isHeaded = message !== '' && colon >= 0 && (newline < 0 || colon < newline)
  return isHeaded && stack.startsWith(message, colon + 2) ? colon + 2 + message.length : 0
}

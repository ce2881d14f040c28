import { hideCredentials } from '../health/credentials.ts'

/** An error as a log tells it: without credentials, and without what else hangs on it, such as the request that failed. */
export interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly code?: string | number
  readonly stack?: string
  readonly cause?: ErrorFields | string
  readonly errors?: readonly (ErrorFields | string)[]
}

/** A chain of causes is followed so far and no further, for it may be a circle; so are gathered errors. */
const deepest = 5

export function errorFields(error: Error, depth = 0): ErrorFields {
  const { name, message, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  const gathered: unknown = 'errors' in error ? error.errors : undefined
  const frames = framesOf(error.stack)
  const text = hideCredentials(String(message))
  const isDeep = depth >= deepest
  return {
    type: String(name),
    message: text,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(frames !== '' && { stack: `${name}: ${text}${frames}` }),
    ...(cause !== undefined && cause !== null && !isDeep && { cause: thrownFields(cause, depth + 1) }),
    ...(Array.isArray(gathered) &&
      !isDeep && { errors: gathered.slice(0, deepest).map((each) => thrownFields(each, depth + 1)) }),
  }
}

/** Whatever was thrown. */
function thrownFields(thrown: unknown, depth: number): ErrorFields | string {
  if (thrown instanceof Error) return errorFields(thrown, depth)
  return hideCredentials(typeof thrown === 'object' ? 'an object' : String(thrown))
}

/** The frames of a stack, without the message before them. */
function framesOf(stack: unknown): string {
  return typeof stack === 'string' ? (/(?:\n {4}at [^\n]*)+\s*$/.exec(stack)?.[0]?.trimEnd() ?? '') : ''
}

import type { ErrorMembers, Fault } from '../../src/entries/index.ts'

/** The public part of an `HttpException` of Nest. */
interface DescribedException {
  readonly status: number
  readonly detail: string
  readonly members: ErrorMembers
}

/**
 * Describes an `HttpException`, recognized by its methods; `undefined` for anything else, and for a status below 400.
 * The messages of a validation pipe become `errors`, and members of the application's own are kept.
 */
export function describeHttpException(error: unknown): DescribedException | undefined {
  if (!isHttpException(error)) return undefined
  const status = Number(error.getStatus())
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined
  const body = error.getResponse()
  const {
    message,
    error: title,
    statusCode: _statusCode,
    ...others
  }: NestBody = isObject(body) ? body : { message: body }
  const faults = Array.isArray(message) ? message.flatMap((each) => faultsOf(each)) : undefined
  const messages = faults?.map((each) => each.message) ?? []
  return {
    status,
    detail: typeof message === 'string' ? message : messages.join('; ') || error.message,
    members: {
      ...others,
      // The exception of `@nestjs/terminus` has an object under this name.
      ...(typeof title === 'string' ? { title } : title !== undefined && { error: title }),
      ...(faults && { errors: faults }),
    },
  }
}

/** The members that Nest gives the body of an exception, and those of the application. */
interface NestBody {
  readonly message?: unknown
  readonly error?: unknown
  readonly statusCode?: unknown
}

/** What a validation pipe collects: a message, or an error of class-validator. */
interface ValidationError {
  readonly property?: unknown
  readonly constraints?: unknown
  readonly children?: unknown
  readonly message?: unknown
}

/** Returns what is wrong with the members of a body, by JSON Pointer; an empty one is the whole body (RFC 6901 §5). */
function faultsOf(each: unknown, parent = ''): readonly Fault[] {
  // Nest names the member in the message only.
  if (!isObject(each)) return [{ path: parent, message: String(each) }]
  const { property, constraints, children, message }: ValidationError = each
  if (typeof property !== 'string')
    return [{ path: parent, message: typeof message === 'string' ? message : 'invalid' }]
  const path = `${parent}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const own = isObject(constraints) ? Object.values(constraints) : []
  return [
    ...own.map((text) => ({ path, message: String(text) })),
    ...(Array.isArray(children) ? children.flatMap((child) => faultsOf(child, path)) : []),
  ]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface HttpException extends Error {
  getStatus(): unknown
  getResponse(): unknown
}

function isHttpException(error: unknown): error is HttpException {
  return (
    error instanceof Error &&
    'getStatus' in error &&
    typeof error.getStatus === 'function' &&
    'getResponse' in error &&
    typeof error.getResponse === 'function'
  )
}

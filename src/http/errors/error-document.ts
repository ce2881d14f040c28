import { reasonPhrase } from './reason-phrase.ts'

/** One fault in a request. */
export interface Fault {
  /** Its location: a JSON Pointer into the body, such as `/items/0/quantity`, or the name of a query parameter. */
  readonly path: string
  readonly message: string
}

/**
 * Members of an error document in addition to its status; further ones are defined by the application (RFC 9457 §3.2).
 */
export interface ErrorMembers {
  /** A URI that identifies the kind of problem. @default 'about:blank' */
  readonly type?: string | undefined
  /** @default the reason phrase of the status */
  readonly title?: string | undefined
  /** The faults of an invalid request. */
  readonly errors?: readonly Fault[] | undefined
  readonly [member: string]: unknown
}

/** A problem in machine-readable and human-readable form (RFC 9457 §3.1). */
export interface ErrorDocument {
  /** `about:blank` if the status alone describes the problem. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** The path of the request that failed. */
  readonly instance?: string
  /** Id of the trace of the request, 32 hexadecimal digits. */
  readonly trace_id?: string
  /** Id of the request, as in `X-Request-Id`. */
  readonly request_id?: string
  readonly errors?: readonly Fault[]
  readonly [member: string]: unknown
}

/** The members of an error document that do not follow from its status. */
export interface ErrorCircumstances {
  readonly detail?: string | undefined
  readonly instance?: string | undefined
  readonly traceId?: string | undefined
  readonly requestId?: string | undefined
  readonly members?: ErrorMembers | undefined
}

export function errorDocument(
  status: number,
  { detail, instance, traceId, requestId, members = {} }: ErrorCircumstances,
): ErrorDocument {
  const { type = 'about:blank', title = reasonPhrase(status), ...others } = members
  return {
    type,
    title,
    status,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(instance !== undefined && { instance }),
    ...(traceId !== undefined && { trace_id: traceId }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !own.has(name))),
  }
}

/** Members that the library sets; members of the application cannot override them. */
const own: ReadonlySet<string> = new Set(['status', 'detail', 'instance', 'trace_id', 'request_id'])

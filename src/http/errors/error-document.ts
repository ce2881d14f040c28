import { reasonPhrase } from './reason-phrase.ts'

/** One thing that is wrong with what was sent. */
export interface Fault {
  /** Where: a JSON Pointer into the body, such as `/items/0/quantity`, or the name of a query parameter. */
  readonly path: string
  readonly message: string
}

/** What an error document says beyond its status; further members are the application's own (RFC 9457 §3.2). */
export interface ErrorMembers {
  /** A URI that tells this kind of problem from others. @default 'about:blank' */
  readonly type?: string | undefined
  /** @default the reason phrase of the status */
  readonly title?: string | undefined
  /** The faults of an invalid request. */
  readonly errors?: readonly Fault[] | undefined
  readonly [member: string]: unknown
}

/** What went wrong, for a program and for a person (RFC 9457 §3.1). */
export interface ErrorDocument {
  /** `about:blank`: the status says it all. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** The path of the request that failed. */
  readonly instance?: string
  /** The trace in which it failed, 32 hexadecimal digits. */
  readonly trace_id?: string
  /** The request that failed, as its `X-Request-Id` says. */
  readonly request_id?: string
  readonly errors?: readonly Fault[]
  readonly [member: string]: unknown
}

/** The parts of an error document that its status does not tell. */
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

/** What the document says of itself, and no member can say otherwise. */
const own: ReadonlySet<string> = new Set(['status', 'detail', 'instance', 'trace_id', 'request_id'])

import { reasonPhrase } from './reason-phrase.ts'

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
}

/** The parts of an error document that its status does not tell. */
export interface ErrorCircumstances {
  readonly detail?: string | undefined
  readonly instance?: string | undefined
  readonly traceId?: string | undefined
}

export function errorDocument(status: number, { detail, instance, traceId }: ErrorCircumstances): ErrorDocument {
  return {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(instance !== undefined && { instance }),
    ...(traceId !== undefined && { trace_id: traceId }),
  }
}

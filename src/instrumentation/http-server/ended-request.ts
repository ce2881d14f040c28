import type { TraceContext } from '../../ids/trace-context/traceparent.ts'

/**
 * One request of the application that has ended: the record from which its meters, its span, and all later readers are
 * fed. Valid only while a subscriber is called, which must copy what it stores.
 */
export interface EndedRequest {
  /** As received. */
  readonly method: string
  /**
   * The template of the route, such as `/orders/:id`, or of the mount in which the request ended without one, such as
   * `/static/**`; `undefined` for other requests.
   */
  readonly template: string | undefined
  /** The status that was sent, or `-1` if the response was cut off. */
  readonly status: number
  /** The status whose header was sent, also if the response was cut off later; `undefined` if none was sent. */
  readonly sentStatus: number | undefined
  /** Whether the client disconnected, or the response was cut off for another reason. */
  readonly isAborted: boolean
  /** From the start of the observation until the response was closed. */
  readonly seconds: number
  /** When the response was closed, in milliseconds of the clock's monotonic time. */
  readonly endedAt: number
  /** The error that caused the response; `undefined` without an error. */
  readonly error: unknown
  /** The name of the error, or `none`. */
  readonly exception: string
  /** The trace of the request, if it is traced. */
  readonly trace: TraceContext | undefined
  /** The path without the query and without secrets. */
  readonly path: string
  /** The target as received: with its query, and with any secrets in it. */
  readonly target: string
  readonly scheme: 'http' | 'https'
  /** The `Host` field, or `:authority` of HTTP/2. */
  readonly authority: string | undefined
  /** The `Content-Length` of the request, in bytes, if it has one. */
  readonly requestBytes: number | undefined
  /**
   * The `Content-Length` of the response, in bytes; `undefined` if it has none, or it was only passed to `writeHead`.
   */
  readonly responseBytes: number | undefined
  /** Returns a field of the request by its lower-case name; of repeated fields the first. */
  requestHeader(name: string): string | undefined
  /**
   * Returns a field of the response by its lower-case name; `undefined` if it was only passed to `writeHead`. Of
   * repeated fields the first.
   */
  responseHeader(name: string): string | undefined
}

/** Called with each request that has ended. */
export type RequestSubscriber = (request: EndedRequest) => void

import type { IncomingMessage } from 'node:http'
import { failure } from '../../base/errors.ts'
import { hideCredentials } from '../../base/redaction.ts'
import { parseHttpDate } from '../../http/fields/http-date.ts'
import { proxyUnavailable } from './proxy.ts'
import { maxReadBytes, type PartialSuccess, readPartialSuccess, responseText } from './receiver-response.ts'

/** The outcome of one request to a receiver. */
export interface Attempt {
  /** Status of the response; `undefined` without a response. */
  status: number | undefined
  /** Delay requested by `Retry-After`, in milliseconds. */
  retryAfterMilliseconds: number | undefined
  /** Why there is no response: an error code of Node such as `ECONNREFUSED`, or `TIMEOUT`. */
  errorCode: string | undefined
  /** What the receiver rejected of an accepted export. */
  partialSuccess: PartialSuccess | undefined
  /** Response content of a refusal, in one line; empty without content. */
  text: string
  /** The error of an attempt that has no error code of Node. */
  cause: unknown
}

export function createAttempt(): Attempt {
  return {
    status: undefined,
    retryAfterMilliseconds: undefined,
    errorCode: undefined,
    partialSuccess: undefined,
    text: '',
    cause: undefined,
  }
}

/** Longer responses are not parsed for a partial success; they only occur by mistake. */
const maxResponseBytes = 64 * 1024

/** Records a response, head first. Secrets of the request are removed from its text. */
export function recordResponse(
  attempt: Attempt,
  response: IncomingMessage,
  wallTime: number,
  secrets: readonly string[],
): void {
  attempt.status = response.statusCode
  attempt.retryAfterMilliseconds = parseRetryAfter(response.headers['retry-after'], wallTime)
  const isTaken = response.statusCode === 200
  const longest = isTaken ? maxResponseBytes : maxReadBytes
  const { 'content-type': contentType = '' } = response.headers
  const chunks: Uint8Array[] = []
  let length = 0
  response.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length - chunk.length < longest) chunks.push(chunk)
  })
  response.on('end', () => {
    const body = Buffer.concat(chunks).subarray(0, longest)
    if (!isTaken) attempt.text = responseText(body, contentType, secrets)
    else if (length <= maxResponseBytes) attempt.partialSuccess = readPartialSuccess(body)
  })
}

/** Whether the receiver accepted the export. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== undefined && status >= 200 && status <= 299
}

/** Whether the receiver may have accepted the export, although it did not respond. */
export function isUndecided({ status, errorCode }: Attempt): boolean {
  return status === undefined && errorCode === 'TIMEOUT'
}

/**
 * Whether a retry may succeed: retryable status codes (OTLP specification 1.x, "Retryable Response Codes"), and no
 * response at all.
 */
export function isWorthRepeating({ status, errorCode }: Attempt): boolean {
  if (status !== undefined) return status === 429 || status === 502 || status === 503 || status === 504
  return errorCode !== undefined && passing.has(errorCode)
}

const passing = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
  proxyUnavailable,
])

/** Parses a `Retry-After` field: seconds or a date (RFC 9110 §10.2.3). Returns milliseconds. */
function parseRetryAfter(text: string | undefined, wallTime: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = parseHttpDate(text, wallTime)
  return at === undefined ? undefined : Math.max(0, at - wallTime)
}

/**
 * Returns the delay before a retry in milliseconds, the first retry being 0: 1 s, growing by half to at most
 * 5 s, ± 20 %.
 */
export function backoffMilliseconds(repetition: number, random: number): number {
  return Math.min(1_000 * 1.5 ** repetition, 5_000) * (0.8 + 0.4 * random)
}

/**
 * Returns the delay before a retry, or the one requested by the receiver. A requested delay of 0 (or in the past, where
 * clocks disagree) is respected once; then the backoff applies, so that a receiver that repeats it is not flooded.
 */
export function waitMilliseconds(repetition: number, retryAfter: number | undefined, random: number): number {
  if (retryAfter === undefined) return backoffMilliseconds(repetition, random)
  return repetition === 0 ? retryAfter : Math.max(retryAfter, backoffMilliseconds(repetition - 1, random))
}

/** Returns why a delivery failed, in one line without credentials: status and response text, or error code. */
export function deliveryFailure({ status, errorCode, retryAfterMilliseconds, text, cause }: Attempt): Error {
  return failure('UPKEEP_EDELIVERY', reason(), cause === undefined ? {} : { cause })

  function reason(): string {
    if (errorCode === 'TIMEOUT') return 'no response in time'
    if (errorCode === 'ABORTED') return 'aborted before the receiver responded'
    if (status !== undefined) {
      const after = retryAfterMilliseconds === undefined ? '' : ` (Retry-After: ${retryAfterMilliseconds / 1_000} s)`
      return `${status}${after}${text === '' ? '' : ` ${text}`}`
    }
    if (errorCode !== undefined && errorCode !== proxyUnavailable) return `receiver unreachable (${errorCode})`
    // By shape instead of `instanceof`: in Jest, errors of Node are of another realm.
    const { message } = Object(cause) as { readonly message?: unknown }
    return typeof message === 'string'
      ? hideCredentials(message.replaceAll(/\s+/g, ' '))
      : 'no time was left for an attempt'
  }
}

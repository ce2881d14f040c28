import type { IncomingMessage } from 'node:http'
import { parseHttpDate } from '../../http/fields/http-date.ts'
import { type PartialSuccess, readPartialSuccess } from './partial-success.ts'
import { longestRead, responseText } from './response-text.ts'

/** What came of one request to a receiver. */
export interface Attempt {
  /** The status that it was answered with; `undefined` when it was not. */
  status: number | undefined
  /** How long the receiver wants to be left alone, in milliseconds. */
  retryAfterMilliseconds: number | undefined
  /** Why there is no answer: an error code of Node, such as `ECONNREFUSED`, or `TIMEOUT`. */
  errorCode: string | undefined
  /** What the receiver took only in part. */
  partialSuccess: PartialSuccess | undefined
  /** What it wrote about a refusal, in one line; empty where it wrote nothing. */
  text: string
}

export function createAttempt(): Attempt {
  return {
    status: undefined,
    retryAfterMilliseconds: undefined,
    errorCode: undefined,
    partialSuccess: undefined,
    text: '',
  }
}

/** An answer is longer than this only by mistake: no more of it is read for what was taken in part. */
const longestAnswer = 64 * 1024

/** Notes an answer, head first. What was sent with the request and is secret does not come back in its text. */
export function noteAnswer(
  attempt: Attempt,
  response: IncomingMessage,
  wallTime: number,
  secrets: readonly string[],
): void {
  attempt.status = response.statusCode
  attempt.retryAfterMilliseconds = parseRetryAfter(response.headers['retry-after'], wallTime)
  const isTaken = response.statusCode === 200
  const longest = isTaken ? longestAnswer : longestRead
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
    else if (length <= longestAnswer) attempt.partialSuccess = readPartialSuccess(body)
  })
}

/** Whether the receiver has what it was sent. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== undefined && status >= 200 && status <= 299
}

/** Whether to try again may help. OTLP specification 1.x, "Retryable Response Codes", and no answer at all. */
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
])

/** A `Retry-After` field: seconds, or a date. RFC 9110 §10.2.3. */
function parseRetryAfter(text: string | undefined, wallTime: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = parseHttpDate(text, wallTime)
  return at === undefined ? undefined : Math.max(0, at - wallTime)
}

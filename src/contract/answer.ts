import { violationError } from './check-result.ts'
import type { WireResponse } from './http-client/response.ts'
import type { WireRequest } from './http-client/send.ts'

/** A response with its request, for complete error messages. */
export interface Answer {
  readonly sent: string
  readonly status: number
  /** By lower-case name; repeated fields are joined by commas. */
  readonly fields: ReadonlyMap<string, string>
  readonly bytes: Buffer
  readonly text: string
  readonly framing: WireResponse['framing']
  /** Number of bytes after the end of the response. */
  readonly surplus: number
}

export function answerOf(request: WireRequest, response: WireResponse): Answer {
  const { status, fields, content, framing, rest } = response
  return {
    sent: describeRequest(request),
    status,
    fields,
    bytes: content,
    text: content.toString(),
    framing,
    surplus: rest.length,
  }
}

/** Formats a request, without fields that every request has and without the values of secret ones. */
export function describeRequest({ method, target, fields, content }: WireRequest): string {
  const shown = Object.entries(fields)
    .filter(([name]) => !/^(host|connection|content-length)$/i.test(name))
    .map(([name, value]) => `${name}: ${/^authorization$/i.test(name) ? '…' : value}`)
  const body = content === undefined ? [] : [excerpt(Buffer.from(content).toString())]
  return [`${method} ${target}`, ...shown, ...body].join('\n')
}

function describeAnswer({ status, fields, text, framing, surplus }: Answer): string {
  const head = [...fields].map(([name, value]) => `${name}: ${value}`)
  const body = text === '' ? (framing === 'none' ? [] : ['(no content)']) : [excerpt(text)]
  const more = surplus === 0 ? [] : [`(and ${surplus} bytes after its end)`]
  return [String(status), ...head, ...body, ...more].join('\n')
}

const longestExcerpt = 500

function excerpt(text: string): string {
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}… (${text.length} characters)` : text
}

/** Asserts a condition on a response. `also` is further evidence, such as another response. */
export function want(answer: Answer, holds: unknown, expected: string, also = ''): asserts holds {
  if (holds) return
  const response = describeAnswer(answer)
  throw violationError({ sent: answer.sent, received: also === '' ? response : `${response}\n(${also})`, expected })
}

export function wantStatus(answer: Answer, ...statuses: readonly number[]): void {
  want(answer, statuses.includes(answer.status), `status ${statuses.join(' or ')}`)
}

export function wantClientError(answer: Answer): void {
  want(answer, answer.status >= 400 && answer.status < 500, 'a status from 400 to 499')
}

export function fieldOf(answer: Answer, name: string): string {
  return answer.fields.get(name.toLowerCase()) ?? ''
}

export function wantField(answer: Answer, name: string, value: string): void {
  want(answer, answer.fields.get(name.toLowerCase()) === value, `${name}: ${value}`)
}

/** `expected` describes what the pattern matches. */
export function wantFieldLike(answer: Answer, name: string, pattern: RegExp, expected: string): void {
  const value = answer.fields.get(name.toLowerCase())
  want(answer, value !== undefined && pattern.test(value), `${name}: ${expected}`)
}

export function wantNoField(answer: Answer, name: string): void {
  want(answer, !answer.fields.has(name.toLowerCase()), `no field ${name}`)
}

/** Returns the elements of a list-based field, such as the methods in `Allow`. */
export function listOf(answer: Answer, name: string): readonly string[] {
  return fieldOf(answer, name)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

import type { WireResponse } from './http-client/response.ts'
import type { WireRequest } from './http-client/send.ts'
import { violationError } from './violation.ts'

/** An answer, and the request that it answers, so that whatever is wrong can be told whole. */
export interface Answer {
  readonly sent: string
  readonly status: number
  /** By lower-case name; several of one name are joined by a comma. */
  readonly fields: ReadonlyMap<string, string>
  readonly bytes: Buffer
  readonly text: string
  readonly framing: WireResponse['framing']
  /** How many bytes came after the end of the answer. */
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

/** Fields that every request has say nothing, and those with a secret nothing but that they were there. */
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

/** Holds an answer to what is wanted of it. `also` is what else there is to see, such as the other answer. */
export function want(answer: Answer, holds: unknown, wanted: string, also = ''): asserts holds {
  if (holds) return
  const came = describeAnswer(answer)
  throw violationError({ sent: answer.sent, came: also === '' ? came : `${came}\n(${also})`, wanted })
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

/** `wanted` says in words what the pattern matches. */
export function wantFieldLike(answer: Answer, name: string, pattern: RegExp, wanted: string): void {
  const came = answer.fields.get(name.toLowerCase())
  want(answer, came !== undefined && pattern.test(came), `${name}: ${wanted}`)
}

export function wantNoField(answer: Answer, name: string): void {
  want(answer, !answer.fields.has(name.toLowerCase()), `no field ${name}`)
}

/** The members of a list in a field, such as the methods in `Allow`. */
export function listOf(answer: Answer, name: string): readonly string[] {
  return fieldOf(answer, name)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

import { type Duration, parseDuration } from '../../base/duration.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { KeepingRule } from '../../tracing/held/held-requests.ts'
import { keepingRule } from '../../tracing/held/keeping-rule.ts'

const defaultTime: Duration = '15m'

/** A change for longer than a day is one of the configuration. */
const maxMilliseconds = 86_400_000

/** The members of a body of POST `tracing`; `undefined` for those that are absent. */
export interface TracingChange {
  readonly probability: number | undefined
  /** `false` keeps no requests. */
  readonly keeping: KeepingRule | false | undefined
  readonly milliseconds: number
}

/**
 * Reads a body.
 *
 * @throws HttpError 400 if it is not a change, naming the member.
 */
export function readTracingChange(body: unknown): TracingChange {
  const members = readObject(body, 'The body', ['probability', 'keepFailedRequests', 'for'])
  return {
    probability: readProbability(members['probability']),
    keeping: readKeeping(members['keepFailedRequests']),
    milliseconds: readTime(members['for'] ?? defaultTime),
  }
}

function readProbability(value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= 1)) return value
  throw invalid('probability', 'a number from 0 to 1', value)
}

function readKeeping(value: unknown): KeepingRule | false | undefined {
  if (value === undefined || value === false) return value
  if (value === true) return keepingRule(true)
  if (typeof value !== 'object') throw invalid('keepFailedRequests', 'true, false or an object', value)
  const { slowerThan } = readObject(value, 'The member keepFailedRequests', ['slowerThan'])
  if (slowerThan === undefined) return keepingRule(true)
  if (isDuration(slowerThan)) return keepingRule({ slowerThan })
  throw invalid('keepFailedRequests.slowerThan', 'a duration such as "1s" of more than 0', slowerThan)
}

function readTime(value: unknown): number {
  const milliseconds = isDuration(value) ? (parseDuration(value) ?? 0) : 0
  if (milliseconds > 0 && milliseconds <= maxMilliseconds) return milliseconds
  throw invalid('for', 'a duration such as "15m" of more than 0 and at most 1 day', value)
}

function isDuration(value: unknown): value is Duration {
  return typeof value === 'string' && (parseDuration(value) ?? 0) > 0
}

function readObject(value: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, `${name} must be an object with members of ${known.join(', ')}.`)
  }
  const unknown = Object.keys(value).find((member) => !known.includes(member))
  if (unknown === undefined) return { ...value }
  throw new HttpError(400, `Unknown member ${shown(unknown)}; expected ${known.join(', ')}.`)
}

function invalid(member: string, expected: string, value: unknown): HttpError {
  return new HttpError(400, `The member ${member} must be ${expected}, received ${shown(value)}.`)
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100)
}

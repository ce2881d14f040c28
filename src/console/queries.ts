import { HttpError } from '../http/errors/http-error.ts'
import type { RequestFilter } from './console.ts'
import type { LogFilter } from './log-tail.ts'

/** The lowest severity of each level. */
const severities: Readonly<Record<string, number>> = { TRACE: 1, DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17, FATAL: 21 }

/** @throws HttpError 400 for an invalid parameter. */
export function filterRequests(query: URLSearchParams): RequestFilter {
  return {
    route: query.get('route') || undefined,
    method: query.get('method') || undefined,
    limit: countOf(query, 'limit') ?? 200,
  }
}

/** @throws HttpError 400 for an invalid parameter. */
export function filterLogs(query: URLSearchParams): LogFilter {
  const level = query.get('level')?.toUpperCase() || undefined
  if (level !== undefined && !Object.hasOwn(severities, level)) {
    throw new HttpError(400, `The query parameter level must be one of ${Object.keys(severities).join(', ')}.`)
  }
  return {
    severity: level === undefined ? undefined : severities[level],
    logger: query.get('logger') || undefined,
    text: query.get('text') || undefined,
    traceId: query.get('trace') || undefined,
    after: countOf(query, 'after'),
    limit: countOf(query, 'limit'),
  }
}

/** Returns the tags of the parameters `tag=key:value`. @throws HttpError 400 for one without a colon. */
export function parseTags(query: URLSearchParams): readonly (readonly [key: string, value: string])[] {
  return query.getAll('tag').map((text) => {
    const colon = text.indexOf(':')
    if (colon < 0) throw new HttpError(400, 'The query parameter tag must have the form key:value.')
    return [text.slice(0, colon), text.slice(colon + 1)]
  })
}

function countOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new HttpError(400, `The query parameter ${name} must be an integer from 0.`)
  return Number(text)
}

import { readJsonBody } from '../../http/conventions/request-body.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call, Resource } from '../../http/resource.ts'
import { type Level, parseLevel } from '../../logging/levels/level.ts'
import type { Loggers } from '../../logging/levels/loggers.ts'
import type { Endpoint } from './endpoint.ts'
import { json } from './json.ts'

/** What Spring Boot's consoles send is JSON under names of their own. */
const mediaTypes = [
  'application/json',
  'application/vnd.spring-boot.actuator.v3+json',
  'application/vnd.spring-boot.actuator.v2+json',
]

/**
 * `loggers`: the levels that there are, and every logger's; `loggers/{name}`: those of one, which a known caller may change
 * by `{"configuredLevel":"DEBUG"}`, and by `null` give back to the logger above.
 */
export function loggersEndpoint(loggers: Loggers): Endpoint {
  const all: Resource = {
    get: () => {
      const entries = loggers.names().map((name) => [name, loggers.level(name)])
      return json({ levels: loggers.levels, loggers: Object.fromEntries(entries), groups: {} }, 'no-cache')
    },
  }

  const one: Resource = {
    access: (method) => (method === 'POST' ? 'authorized' : 'public'),
    get: ({ variables: [name = ''] }) => {
      const level = loggers.level(name)
      return level && json(level, 'no-cache')
    },
    post: async ({ request, variables: [name = ''] }: Call) => {
      if (loggers.level(name) === undefined) throw new HttpError(404, 'There is no logger of this name.')
      loggers.configure(name, levelIn(await readJsonBody(request, { mediaTypes }), loggers.levels))
      return undefined
    },
  }

  return {
    id: 'loggers',
    routes: [
      { path: 'loggers', link: 'loggers', resource: all },
      { path: 'loggers/{name}', link: 'loggers-name', resource: one },
    ],
  }
}

function levelIn(body: unknown, levels: readonly Level[]): Level | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, 'The body must be an object with the field configuredLevel.')
  }
  const unknown = Object.keys(body).find((field) => field !== 'configuredLevel')
  if (unknown !== undefined) {
    throw new HttpError(400, `The body has the field configuredLevel and no other, not ${JSON.stringify(unknown)}.`)
  }
  const value: unknown = 'configuredLevel' in body ? body.configuredLevel : undefined
  if (value === undefined || value === null) return undefined
  const level = typeof value === 'string' ? parseLevel(value) : undefined
  if (level !== undefined && levels.includes(level)) return level
  throw new HttpError(
    400,
    `The field configuredLevel must be one of ${levels.join(', ')}, or null, not ${JSON.stringify(value).slice(0, 100)}.`,
  )
}

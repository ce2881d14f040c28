import { readJsonBody } from '../../http/conventions/request-body.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call, Resource } from '../../http/resource.ts'
import { type Level, parseLevel } from '../../logging/levels/level.ts'
import type { Loggers } from '../../logging/levels/loggers.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, jsonBodyTypes, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/**
 * `loggers`: all levels, and the level of each logger; `loggers/{name}`: that of one logger. An authorized caller
 * changes it by POST of `{"configuredLevel":"DEBUG"}`; `null` inherits the level of the parent again.
 */
export function loggersEndpoint(loggers: Loggers): Endpoint {
  const all: Resource = {
    access: 'public',
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
      if (loggers.level(name) === undefined) throw new HttpError(404, 'Logger not found.')
      loggers.configure(name, levelIn(await readJsonBody(request, { mediaTypes: jsonBodyTypes }), loggers.levels))
      return undefined
    },
  }

  return {
    id: 'loggers',
    routes: [
      { path: 'loggers', resource: all },
      { path: 'loggers/{name}', resource: one },
    ],
    describe: () => describe(loggers.levels),
  }
}

function describe(levels: readonly Level[]): EndpointDescription {
  const level = { type: 'string', enum: levels }
  const logger = {
    type: 'object',
    properties: { configuredLevel: level, effectiveLevel: level },
    required: ['effectiveLevel'],
  }
  const loggers = { type: 'object', additionalProperties: logger }
  const list = describeJson(objectSchema({ levels: listSchema(stringSchema), loggers, groups: { type: 'object' } }))
  const change = {
    type: 'object',
    properties: { configuredLevel: { enum: [...levels, null] } },
    additionalProperties: false,
  }
  const [all, one, changed] = [
    'The levels of all loggers.',
    'The level of one logger.',
    'Changes the level of a logger.',
  ]
  return {
    loggers: { GET: { summary: all, responses: [{ status: 200, description: all, content: list }] } },
    'loggers/{name}': {
      GET: {
        summary: one,
        responses: [{ status: 200, description: one, content: describeJson(logger, 'logger-level') }],
      },
      POST: {
        summary: changed,
        request: jsonBodyTypes.map((mediaType) => ({ mediaType, schema: change })),
        responses: [{ status: 204, description: 'The level was changed.' }],
      },
    },
  }
}

function levelIn(body: unknown, levels: readonly Level[]): Level | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, 'The body must be an object with the member configuredLevel.')
  }
  const unknown = Object.keys(body).find((field) => field !== 'configuredLevel')
  if (unknown !== undefined) {
    throw new HttpError(400, `Unknown member ${JSON.stringify(unknown)}; expected configuredLevel.`)
  }
  const value: unknown = 'configuredLevel' in body ? body.configuredLevel : undefined
  if (value === undefined || value === null) return undefined
  const level = typeof value === 'string' ? parseLevel(value) : undefined
  if (level !== undefined && levels.includes(level)) return level
  throw new HttpError(
    400,
    `The member configuredLevel must be one of ${levels.join(', ')}, or null, ` +
      `received ${JSON.stringify(value).slice(0, 100)}.`,
  )
}

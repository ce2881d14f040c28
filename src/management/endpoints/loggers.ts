import type { Clock } from '../../base/clock.ts'
import { parseDuration } from '../../base/duration.ts'
import type { ClusterView } from '../../cluster/cluster-host.ts'
import { readJsonBody } from '../../http/conventions/request-body.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call, Resource } from '../../http/resource.ts'
import { type Level, parseLevel } from '../../logging/levels/level.ts'
import {
  type ChangedLevel,
  type LevelChanges,
  type LoggerGroup,
  maxTemporaryMilliseconds,
} from '../../logging/levels/level-changes.ts'
import type { Loggers } from '../../logging/levels/loggers.ts'
import { memberParameter, readMember, requireMember } from '../cluster/member-parameter.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, jsonBodyTypes, listSchema, objectSchema, stringSchema } from './json-representation.ts'

interface Cluster {
  readonly view: ClusterView | undefined
}

/**
 * `loggers`: all levels, the level of each logger, and the groups; `loggers/{name}`: those of one logger or group. An
 * authorized caller changes it by POST of `{"configuredLevel":"DEBUG"}`; `null` inherits the level of the parent again.
 * With `"for":"15m"` the level is restored after that time. In a cluster the change is one of all members, or of that
 * which the query parameter `member` names.
 */
export function loggersEndpoint(loggers: Loggers, changes: LevelChanges, cluster: Cluster, clock: Clock): Endpoint {
  const all: Resource = {
    access: 'public',
    get: () => {
      const entries = loggers.names().map((name) => [name, showRevert(changes.logger(name))])
      const groups = [...changes.groups.keys()].map((name) => [name, showRevert(changes.group(name))])
      const shown = { levels: loggers.levels, loggers: Object.fromEntries(entries), groups: Object.fromEntries(groups) }
      return json(shown, 'no-cache')
    },
  }

  const one: Resource = {
    access: (method) => (method === 'POST' ? 'authorized' : 'public'),
    get: ({ variables: [name = ''] }) => {
      const found = changes.group(name) ?? changes.logger(name)
      return found && json(showRevert(found), 'no-cache')
    },
    post: async ({ request, query, variables: [name = ''] }: Call) => {
      const slot = readMember(query)
      const isGroup = changes.groups.has(name)
      if (!isGroup && loggers.level(name) === undefined) throw new HttpError(404, 'Logger not found.')
      const { level, milliseconds } = readChange(
        await readJsonBody(request, { mediaTypes: jsonBodyTypes }),
        loggers.levels,
      )
      if (!changes.has(name)) throw new HttpError(404, 'No logger of the group exists.')
      if (slot !== undefined) await requireMember(cluster.view, slot)
      const { view } = cluster
      if (view === undefined) changes.change(name, level, milliseconds)
      else {
        const until = milliseconds === undefined ? undefined : clock.wallTime() + milliseconds
        const slots = slot === undefined ? {} : { slots: [slot] }
        view.broadcast({ kind: 'log-level', logger: name, level, until, ...slots })
      }
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
  const revertsAt = { type: 'string', format: 'date-time' }
  const logger = {
    type: 'object',
    properties: { configuredLevel: level, effectiveLevel: level, members: listSchema(stringSchema), revertsAt },
  }
  const byName = { type: 'object', additionalProperties: logger }
  const list = describeJson(objectSchema({ levels: listSchema(stringSchema), loggers: byName, groups: byName }))
  const change = {
    type: 'object',
    properties: { configuredLevel: { enum: [...levels, null] }, for: { type: ['string', 'null'], examples: ['15m'] } },
    additionalProperties: false,
  }
  const [all, one, changed] = [
    'The levels of all loggers.',
    'The level of one logger or group.',
    'Changes the level of a logger, or of all loggers of a group.',
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
        query: [memberParameter],
        request: jsonBodyTypes.map((mediaType) => ({ mediaType, schema: change })),
        responses: [{ status: 204, description: 'The level was changed.' }],
      },
    },
  }
}

/** Returns a level with the time at which it is restored as ISO 8601. */
function showRevert(shown: ChangedLevel | LoggerGroup | undefined) {
  if (shown?.revertsAt === undefined) return shown
  return { ...shown, revertsAt: new Date(shown.revertsAt).toISOString() }
}

interface LevelChange {
  readonly level: Level | undefined
  /** The time after which the level is restored; `undefined` if it stays. */
  readonly milliseconds: number | undefined
}

function readChange(body: unknown, levels: readonly Level[]): LevelChange {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, 'The body must be an object with the member configuredLevel.')
  }
  const { configuredLevel, for: duration, ...others }: Readonly<Record<string, unknown>> = { ...body }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new HttpError(400, `Unknown member ${describeMember(unknown)}; expected configuredLevel or for.`)
  }
  return { level: readLevel(configuredLevel, levels), milliseconds: readFor(duration) }
}

function readLevel(value: unknown, levels: readonly Level[]): Level | undefined {
  if (value === undefined || value === null) return undefined
  const level = typeof value === 'string' ? parseLevel(value) : undefined
  if (level !== undefined && levels.includes(level)) return level
  throw new HttpError(
    400,
    `The member configuredLevel must be one of ${levels.join(', ')}, or null, received ${describeMember(value)}.`,
  )
}

function readFor(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const milliseconds = typeof value === 'string' ? parseDuration(value) : undefined
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= maxTemporaryMilliseconds) return milliseconds
  const received = describeMember(value)
  throw new HttpError(400, `The member for must be a duration such as "15m", up to "7d", received ${received}.`)
}

function describeMember(value: unknown): string {
  return JSON.stringify(value).slice(0, 100)
}

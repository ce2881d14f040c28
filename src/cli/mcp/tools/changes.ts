import { textOf } from '../../top/top-sample.ts'
import { describe, int, maximum, maxLength, minimum, minLength, oneOf, optional, string } from '../sdk.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { ToolError } from '../tool-error.ts'

export const setLogLevel: Tool = serviceTool({
  name: 'set_log_level',
  title: 'Change a log level',
  description:
    'Changes the level of a logger, or of a group, for some minutes; the service then restores it by itself.',
  changes: true,
  fields: {
    logger: string().check(minLength(1), maxLength(200), describe('The name of the logger; ROOT for all.')),
    level: oneOf(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'OFF']).check(describe('The level.')),
    minutes: int().check(minimum(1), maximum(120), describe('After how many minutes it is restored.')),
  },
  async run(connection, { logger, level, minutes }) {
    const path = `loggers/${encodeURIComponent(logger)}`
    const before = required(await connection.read(path), connection, `loggers, or no logger of this name`)
    const body = { configuredLevel: level, for: `${minutes}m` }
    required((await connection.change('POST', path, { body })) || undefined, connection, 'loggers')
    const { revertsAt } = (await connection.read(path)) ?? {}
    if (textOf(revertsAt) === undefined) {
      // Spring Boot ignores the member `for`.
      await connection.change('POST', path, { body: { configuredLevel: before['configuredLevel'] ?? null } })
      throw new ToolError(`${connection.service} cannot restore a level by itself, so the change was undone.`)
    }
    return { summary: [`${logger} has the level ${level} until ${textOf(revertsAt)}.`] }
  },
})

export const evictCache: Tool = serviceTool({
  name: 'evict_cache',
  title: 'Clear a cache',
  description: 'Removes all entries of one cache of a service. The next requests read their data from its source.',
  changes: true,
  fields: {
    cache: string().check(minLength(1), maxLength(200), describe('The name of the cache.')),
    manager: optional(string().check(maxLength(200), describe('Its manager, if several have a cache of this name.'))),
  },
  async run(connection, { cache, manager }) {
    const query = [['cacheManager', manager]] as const
    const isCleared = await connection.change('DELETE', `caches/${encodeURIComponent(cache)}`, { query })
    required(isCleared || undefined, connection, `caches, or no cache of this name`)
    return { summary: [`The cache ${cache} was cleared.`] }
  },
})

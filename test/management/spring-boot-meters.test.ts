import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPool } from 'generic-pool'
import { LRUCache } from 'lru-cache'
import { createManagement } from 'upkeep'
import { sslBundles } from 'upkeep/health'
import { createCaches, createScheduledTasks, executorMeters, instrument, poolMeters } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { observe } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pool as createWorkerpool } from 'workerpool'
import { eventually } from '../support/eventually.ts'
import { listenOn } from '../support/listen.ts'
import { cert } from '../support/localhost-certificate.ts'

/** A meter as it was recorded of a service on Spring Boot 4. */
interface SpringMeter {
  readonly name: string
  readonly kind: string
  readonly unit: string | null
  readonly tags: readonly string[]
}

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')
const springMeters: readonly SpringMeter[] = JSON.parse(read('test/vectors/spring-boot-meters.json')).meters

/** The table in docs/guides/spring-boot.md: the cells of each row. */
const section = /^## Meters by name\n(.*?)^## /ms.exec(read('docs/guides/spring-boot.md'))?.[1] ?? ''
const documented = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '))

const codes = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '')

const kindNamed = (text: string | undefined) => (text === 'long task timer' ? 'longTaskTimer' : text)

/** Names that only Linux has. */
const isOfLinux = (name: string) => /^jvm\.threads\.|^process\.files\./.test(name)
const onLinux = existsSync('/proc/self/status')

describe('the table of meters in docs/guides/spring-boot.md', () => {
  it('lists the meters of Spring Boot with kind, unit and tags', () => {
    const rows = documented.map(([name, kind, unit, tags]) => ({
      name: codes(name)[0],
      kind: kindNamed(kind),
      unit: unit?.trim() || null,
      tags: codes(tags),
    }))
    expect(rows).toEqual(springMeters)
  })
})

describe('the meters of a service', () => {
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const tasks = createScheduledTasks()
  const caches = createCaches()
  const ssl = sslBundles({ web: { cert } })
  const management = createManagement({ report: () => {}, loggers: logger.loggers, scheduledTasks: tasks, caches, ssl })
  const { meters } = management
  const workers = createWorkerpool({ maxWorkers: 1, workerType: 'thread' })
  const server = createServer()
  beforeAll(async () => {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    poolMeters(meters, 'database', createPool({ create: async () => ({}), destroy: async () => {} }))
    caches.add('prices', new LRUCache({ max: 1 }))
    executorMeters(meters, 'thumbnails', workers)
    tasks.schedule('orders.Reports.nightly', () => {})()
    instrument(management)
    logger.info('started')
    const observed = observe(management)
    server.on('request', (req, res) => observed(req, res, () => res.end('ok')))
    const port = await listenOn(server)
    await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()
    const late = ['jvm.gc.pause', 'application.ready.time', 'http.server.requests', 'http.client.requests']
    await eventually(() => expect(meters.names()).toEqual(expect.arrayContaining(late)))
  })
  afterAll(async () => {
    management.close()
    server.close()
    await workers.terminate(true)
  })

  const present = documented.filter(([name = '']) => onLinux || !isOfLinux(codes(name)[0] ?? ''))
  it.each(present)('%s, a %s of unit %s and tags %s: %s', (cell, kind, unit, tags, upkeep = '') => {
    const name = codes(cell)[0] ?? ''
    const [snapshot] = meters.snapshot(name)
    const found = snapshot && {
      kind: snapshot.kind,
      unit: snapshot.id.baseUnit,
      tags: snapshot.id.tags.map(({ key }) => key),
    }
    if (upkeep.startsWith('– ')) {
      expect(found).toBeUndefined()
      return
    }
    const without = upkeep.startsWith('without ') ? codes(upkeep) : []
    const expected = {
      kind: kindNamed(kind),
      unit: unit || undefined,
      tags: codes(tags).filter((tag) => !without.includes(tag)),
    }
    expect(upkeep === 'the same' || without.length > 0).toBe(true)
    expect(found).toEqual(expected)
  })
})

import { describeValue } from '../../base/describe-value.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { type DiscoveredKind, discoveredComponents } from './client-kind.ts'
import { type ClientsInUse, createFoundClients, type FoundClients, type FoundTarget } from './found-clients.ts'
import { watchEmitters, watchPublished } from './watch-emitters.ts'

/** The clients of an application, which are found when it creates them. */
export interface ClientDiscovery extends FoundClients {
  readonly kinds: readonly DiscoveredKind[]
  /** Finds no more clients. Those that were found stay. */
  close(): void
}

/** Options of `discoverClients`. */
export interface DiscoverClientsOptions {
  /** @default all: `db`, `kafka`, `mongo`, `nats`, `rabbit`, `redis` and `diskSpace` */
  readonly kinds?: readonly DiscoveredKind[] | undefined
}

/** How long new objects are looked at: from then on no request pays for it. */
const watchMilliseconds = 60_000

/** The most objects that are looked at together: an application creates few clients in a turn. */
const maxCreated = 1_000

const nothing: readonly FoundTarget[] = []

/** What can be discovered. */
const discoveredKinds: readonly DiscoveredKind[] = [...discoveredComponents, 'diskSpace']

/**
 * Finds the clients of databases, caches and brokers that the application creates within a minute from this call, for
 * the option `health.discover` of `createManagement`. They are those of pg, mysql2, mssql, Knex, ioredis, node-redis,
 * mongodb and amqplib, also inside of ORMs. Clients that exist already are added by `add`, and so are those of
 * postgres.js, nats, kafkajs, node:sqlite and better-sqlite3; or the application publishes them on the diagnostics
 * channel `upkeep.client`, at any time.
 *
 * @throws RangeError if a kind does not exist.
 */
export function discoverClients(options: DiscoverClientsOptions = {}): ClientDiscovery {
  requireKnownOptions('discoverClients', options, ['kinds'])
  const { kinds = discoveredKinds } = options
  const unknown = kinds.find((kind) => !discoveredKinds.includes(kind))
  if (unknown !== undefined) {
    throw optionOutOfRange(
      `discoverClients: kinds: expected ${discoveredKinds.join(', ')}, received ${describeValue(unknown)}`,
    )
  }
  let found: ClientsInUse | undefined
  let created: object[] = []
  let stop: (() => void) | undefined
  let isClosed = false
  const add = (candidate: object): void => {
    if (found !== undefined) {
      found.add(candidate)
      return
    }
    // What tells them apart is loaded once the application has started, or health is read.
    if (created.length === 0) setImmediate(look).unref?.()
    if (created.length < maxCreated) created.push(candidate)
  }
  function look(): void {
    if (created.length === 0) return
    const candidates = created
    created = []
    found ??= createFoundClients(watch)
    for (const each of candidates) found.add(each)
  }
  /** Watches for a minute, and as long as a connection is lost: the application may replace its client. */
  function watch(): void {
    if (isClosed || stop !== undefined) return
    stop = watchEmitters(add)
    setUnrefTimeout(() => {
      pause()
      if (found?.hasLost()) watch()
    }, watchMilliseconds)
  }
  function pause(): void {
    stop?.()
    stop = undefined
  }
  watch()
  const unsubscribe = watchPublished(add)
  return {
    kinds,
    add,
    targetsOf(component) {
      look()
      return found?.targetsOf(component) ?? nothing
    },
    close() {
      isClosed = true
      unsubscribe()
      pause()
    },
  }
}

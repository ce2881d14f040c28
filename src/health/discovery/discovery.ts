import { describeValue } from '../../base/describe-value.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { type DiscoveredKind, discoveredComponents } from './client-kind.ts'
import { type ClientsInUse, createFoundClients, type FoundClients, type FoundTarget } from './found-clients.ts'
import { watchEmitters } from './watch-emitters.ts'

/** The clients of an application, which are found when it creates them. */
export interface ClientDiscovery extends FoundClients {
  readonly kinds: readonly DiscoveredKind[]
  /** Finds no more clients. Those that were found stay. */
  close(): void
}

/** Options of `discoverClients`. */
export interface DiscoverClientsOptions {
  /** @default all: `db`, `mongo`, `rabbit`, `redis` and `diskSpace` */
  readonly kinds?: readonly DiscoveredKind[] | undefined
}

/** How long new objects are looked at: from then on no request pays for it. */
const watchMilliseconds = 60_000

const nothing: readonly FoundTarget[] = []

/** What can be discovered. */
const discoveredKinds: readonly DiscoveredKind[] = [...discoveredComponents, 'diskSpace']

/**
 * Finds the clients of databases, caches and brokers that the application creates within a minute from this call, for
 * the option `health.discover` of `createManagement`. They are those of pg, mysql2, Knex, ioredis, node-redis, mongodb
 * and amqplib, also inside of ORMs. Clients that exist already are added by `add`.
 *
 * @throws RangeError if a kind does not exist.
 */
export function discoverClients(options: DiscoverClientsOptions = {}): ClientDiscovery {
  requireKnownOptions('discoverClients', options, ['kinds'])
  const { kinds = discoveredKinds } = options
  const unknown = kinds.find((kind) => !discoveredKinds.includes(kind))
  if (unknown !== undefined) {
    throw new RangeError(
      `discoverClients: kinds: expected ${discoveredKinds.join(', ')}, received ${describeValue(unknown)}`,
    )
  }
  let found: ClientsInUse | undefined
  let stop: (() => void) | undefined
  let isClosed = false
  const add = (candidate: object): void => {
    found ??= createFoundClients(watch)
    found.add(candidate)
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
  return {
    kinds,
    add,
    targetsOf: (component) => found?.targetsOf(component) ?? nothing,
    close() {
      isClosed = true
      pause()
    },
  }
}

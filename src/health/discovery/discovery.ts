import { describeValue } from '../../base/describe-value.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import { type DiscoveredKind, discoveredComponents } from './client-kind.ts'
import { createFoundClients, type FoundClients, type FoundTarget } from './found-clients.ts'
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
  let found: FoundClients | undefined
  const add = (candidate: object): void => {
    found ??= createFoundClients()
    found.add(candidate)
  }
  const close = watchEmitters(add)
  setUnrefTimeout(close, watchMilliseconds)
  return { kinds, add, targetsOf: (component) => found?.targetsOf(component) ?? nothing, close }
}

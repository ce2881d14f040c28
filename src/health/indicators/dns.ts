import type { Resolver } from 'node:dns/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createSharedRequest } from './shared-request.ts'

const system = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:dns/promises'))

/** Options of `dns`. */
export interface DnsOptions {
  /** Queries name servers for records of this type, instead of using the operating system as connections do. */
  readonly recordType?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT' | undefined
  /** Addresses of the name servers to query, such as `10.0.0.2` or `10.0.0.2:5353`. @default those of the system */
  readonly servers?: readonly string[] | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while a name resolves. By default the operating system resolves it, including the hosts file and search domains;
 * with a record type or servers, name servers are queried. Details: `name`, `records`, `latency`.
 *
 * @throws TypeError if a server is not an address.
 */
export function dns(name: string, options: DnsOptions = {}): HealthCheck {
  checkIndicatorOptions('dns', options, ['recordType', 'servers', 'clock'], { type: 'recordType', resolver: 'servers' })
  const { recordType, servers, clock = systemClock } = options
  const resolve =
    recordType === undefined && servers === undefined ? withSystem(name) : withServers(name, recordType ?? 'A', servers)
  return createCheck({
    request: async (signal) => {
      const records = await resolve(signal)
      return { status: records.length > 0 ? 'UP' : 'DOWN', details: { records } }
    },
    context: () => ({ name }),
    clock,
  })
}

type Resolve = (signal: AbortSignal) => Promise<readonly unknown[]>

function withSystem(name: string): Resolve {
  const lookup = async (): Promise<readonly string[]> =>
    (await system().lookup(name, { all: true })).map(({ address }) => address)
  // Shared: each lookup blocks one of four threads until the system times out.
  return createSharedRequest(lookup, { lostAfterMilliseconds: Number.POSITIVE_INFINITY })
}

function withServers(name: string, recordType: string, servers: readonly string[] | undefined): Resolve {
  // Throws if a server is not an address.
  createResolver(servers)
  return async (signal) => {
    signal.throwIfAborted()
    // A separate resolver, because cancel() cancels all queries of a resolver.
    const resolver = createResolver(servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const records: unknown = await resolver.resolve(name, recordType)
      return Array.isArray(records) ? records : [records]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

function createResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new (system().Resolver)()
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

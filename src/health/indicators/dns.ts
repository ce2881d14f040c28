import type { Resolver } from 'node:dns/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { createInquiry } from './inquiry.ts'

const system = lazy(() => process.getBuiltinModule('node:dns/promises'))

export interface DnsOptions {
  /** Asks name servers for records of this type, instead of asking the system as every connection does. */
  readonly recordType?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT' | undefined
  /** Addresses of the name servers to ask, such as `10.0.0.2` or `10.0.0.2:5353`, instead of the system's. */
  readonly servers?: readonly string[] | undefined
  readonly clock?: Clock | undefined
}

/**
 * `UP` while a name resolves. By default the operating system is asked, hosts file and search domains included; with a
 * record type or name servers, the servers are. Details: `name`, `records`, `latency`.
 *
 * @throws TypeError when a server is no address.
 */
export function dns(name: string, { recordType, servers, clock = systemClock }: DnsOptions = {}): HealthCheck {
  const resolve =
    recordType === undefined && servers === undefined
      ? throughSystem(name)
      : throughServers(name, recordType ?? 'A', servers)
  return createCheck({
    ask: async (signal) => {
      const records = await resolve(signal)
      return { status: records.length > 0 ? 'UP' : 'DOWN', details: { records } }
    },
    context: () => ({ name }),
    clock,
  })
}

type Resolve = (signal: AbortSignal) => Promise<readonly unknown[]>

function throughSystem(name: string): Resolve {
  const ask = async (): Promise<readonly string[]> =>
    (await system().lookup(name, { all: true })).map(({ address }) => address)
  // One at a time: each holds one of four threads until the system gives up.
  return createInquiry(ask, { lostAfterMilliseconds: Number.POSITIVE_INFINITY })
}

function throughServers(name: string, recordType: string, servers: readonly string[] | undefined): Resolve {
  createResolver(servers)
  return async (signal) => {
    signal.throwIfAborted()
    // Its own, for what is cancelled is all that a resolver was asked.
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
  if (servers !== undefined) {
    resolver.setServers(servers)
  }
  return resolver
}

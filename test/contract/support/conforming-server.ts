import { request } from 'node:http'
import { bearerToken, HttpError, type Management, type ManagementOptions, type TraceContext } from 'upkeep'
import type { ContractOptions } from 'upkeep/contract'
import { formatTraceparent, parseTraceparent } from 'upkeep/ids'
import { handleErrors, manage, observe } from 'upkeep/node'
import { createEveryEndpoint } from '../../support/every-endpoint.ts'
import { type Listening, listen } from '../../support/listen.ts'
import { hookRoute } from './hook-route.ts'

/** A service with the whole interface, and the options of its contract. */
export interface ConformingServer extends Listening {
  readonly options: Omit<ContractOptions, 'baseUrl'>
}

const token = 'contract-token'

/** Starts a service that satisfies every rule, so that a faulty one differs only by its fault. */
export async function startConformingServer(
  paths: ManagementOptions['paths'] = {},
  attach: (management: Management) => void = () => {},
): Promise<ConformingServer> {
  let databaseUp = true
  let alive = true
  const { management, close: closeManagement } = createEveryEndpoint({
    info: { ssl: true },
    paths,
    health: {
      indicators: {
        db: { state: () => ({ status: databaseUp ? 'UP' : 'DOWN', details: { database: 'PostgreSQL 17' } }) },
        alive: { state: () => (alive ? 'UP' : 'DOWN') },
        caches: { indicators: { near: () => 'UP', far: () => ({ status: 'UNKNOWN', details: { miles: 7 } }) } },
      },
      groups: {
        liveness: { include: ['livenessState', 'alive'], showComponents: 'never', showDetails: 'never' },
        readiness: { include: ['readinessState', 'db'], showComponents: 'never', showDetails: 'never' },
        storage: { include: ['db', 'caches/far'] },
      },
      showDetails: 'when-authorized',
    },
    authorize: bearerToken(token),
  })
  attach(management)
  const { meters, availability } = management
  meters.counter('contract.odd', { value: 'a "quoted" \\ and\nbroken' }).increment()
  meters.timer('contract.work', {}, { percentiles: [0.5, 0.99] }).record(0.25)
  meters.summary('contract.size', {}, { baseUnit: 'bytes', slo: [10, 100, 1000] }).record(50)

  const observed = observe(management, {
    route: ({ url = '' }) => (/^\/orders\/\d+/.test(url) ? '/orders/:id' : undefined),
  })
  const managed = manage(management)
  const hook = hookRoute('a-key-that-nobody-guesses')
  const app = handleErrors(
    (req, res) =>
      observed(req, res, () =>
        managed(req, res, async () => {
          const url = new URL(req.url ?? '/', 'http://127.0.0.1')
          if (url.pathname === '/orders/1') return res.end('[]')
          if (url.pathname === '/relay') {
            await ask(url.searchParams.get('to') ?? '', req.headers['traceparent'], req.headers['tracestate'])
            return res.end('done')
          }
          if (url.pathname.startsWith('/hooks/')) return hook(req, res)
          throw new HttpError(404, 'Resource not found.')
        }),
      ),
    { report: () => undefined },
  )
  const { port, close } = await listen(app)
  return {
    port,
    close: async () => {
      await close()
      closeManagement()
    },
    options: {
      token,
      paths,
      hook: '/hooks/a-key-that-nobody-guesses',
      route: '/orders/1',
      relay: '/relay?to={url}',
      states: {
        notReady: { enter: () => availability.refuseTraffic(), leave: () => availability.acceptTraffic() },
        databaseDown: { enter: () => (databaseUp = false), leave: () => (databaseUp = true) },
        notAlive: { enter: () => (alive = false), leave: () => (alive = true) },
      },
      patience: '2s',
      timeout: '5s',
    },
  }
}

/** Calls another service within the trace of the caller. */
function ask(
  url: string,
  traceparent: string | string[] | undefined,
  tracestate: string | string[] | undefined,
): Promise<void> {
  const caller = parseTraceparent(String(traceparent))
  const own: TraceContext = {
    traceId: caller?.traceId ?? '11112222333344445555666677778888',
    spanId: '1111222233334444',
    flags: caller?.flags ?? 1,
  }
  const headers = {
    traceparent: formatTraceparent(own),
    ...(caller !== undefined && tracestate !== undefined && { tracestate: String(tracestate) }),
  }
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => response.resume().on('end', () => resolve()))
      .on('error', reject)
      .end()
  })
}

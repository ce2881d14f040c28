import { want, wantStatus } from '../../answer.ts'
import { isObject, objectOf } from '../../json.ts'
import type { StateName } from '../../options.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'

const section = 'Probe behaviour'

function whileIn(service: Service, state: StateName, look: () => Promise<void>): Promise<void> {
  return service.during(state, () => service.eventually(look))
}

export const probeStateRules: readonly Rule[] = /* @__PURE__ */ rulesWith(
  { needs: ['health', 'notReady'], shared: true },
  [
    {
      id: 'probes.not-ready.readiness-503',
      says: 'Readiness MUST respond with 503 while the instance is not ready.',
      section,
      check: (service) =>
        whileIn(service, 'notReady', async () => wantStatus(await service.ask('/health/readiness'), 503)),
    },
    {
      id: 'probes.not-ready.head-503',
      says: 'HEAD of the readiness probe MUST respond with 503 while the instance is not ready.',
      section: 'RFC 9110 §9.3.2',
      check: (service) =>
        whileIn(service, 'notReady', async () =>
          wantStatus(await service.ask('/health/readiness', { method: 'HEAD' }), 503),
        ),
    },
    {
      id: 'probes.not-ready.report',
      says: 'A readiness probe with 503 MUST have a status other than UP.',
      section,
      check: (service) =>
        whileIn(service, 'notReady', async () => {
          const answer = await service.ask('/health/readiness')
          wantStatus(answer, 503)
          const report = objectOf(answer)
          want(answer, isObject(report) && report['status'] !== 'UP', 'a status other than UP')
        }),
    },
    {
      id: 'probes.not-ready.liveness-200',
      says: 'Liveness MUST stay 200 while the instance is not ready.',
      section,
      check: (service) =>
        whileIn(service, 'notReady', async () => {
          wantStatus(await service.ask('/health/readiness'), 503)
          wantStatus(await service.ask('/health/liveness'), 200)
        }),
    },
    {
      id: 'probes.not-ready.recovers',
      says: 'Readiness MUST respond with 200 again once the instance is ready.',
      section,
      async check(service) {
        await whileIn(service, 'notReady', async () => wantStatus(await service.ask('/health/readiness'), 503))
        await service.eventually(async () => wantStatus(await service.ask('/health/readiness'), 200))
      },
    },
    {
      id: 'probes.database-down.readiness-503',
      says: 'Readiness MUST respond with 503 while the database is unavailable.',
      section,
      needs: ['health', 'databaseDown'],
      shared: false,
      check: (service) =>
        whileIn(service, 'databaseDown', async () => wantStatus(await service.ask('/health/readiness'), 503)),
    },
    {
      id: 'probes.database-down.liveness-200',
      says: 'Liveness MUST NOT depend on the database: it stays 200 while that is unavailable.',
      section,
      needs: ['health', 'databaseDown'],
      check: (service) =>
        whileIn(service, 'databaseDown', async () => {
          wantStatus(await service.ask('/health'), 503)
          wantStatus(await service.ask('/health/liveness'), 200)
        }),
    },
    {
      id: 'probes.database-down.recovers',
      says: 'Readiness MUST respond with 200 again once the database is available.',
      section,
      needs: ['health', 'databaseDown'],
      shared: false,
      async check(service) {
        await whileIn(service, 'databaseDown', async () => wantStatus(await service.ask('/health/readiness'), 503))
        await service.eventually(async () => wantStatus(await service.ask('/health/readiness'), 200))
      },
    },
    {
      id: 'probes.not-alive.liveness-503',
      says: 'Liveness MUST respond with 503 once only a restart can help.',
      section,
      needs: ['health', 'notAlive'],
      check: (service) =>
        whileIn(service, 'notAlive', async () => wantStatus(await service.ask('/health/liveness'), 503)),
    },
  ],
)

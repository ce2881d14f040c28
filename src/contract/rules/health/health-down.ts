import { want, wantStatus } from '../../answer.ts'
import { isObject } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { wantJson } from '../json-resource.ts'
import { addressOf, componentsOf, reportAt } from './report-tree.ts'

const section = 'Health report'

/** The report once the service has noticed that the database is down. */
async function whileDown(
  service: Service,
  look: (reported: Awaited<ReturnType<typeof reportAt>>) => Promise<void> | void,
): Promise<void> {
  await service.during('databaseDown', async () => {
    await service.eventually(async () => wantStatus(await service.ask('/health'), 503))
    await look(await reportAt(service))
  })
}

export const healthDownRules: readonly Rule[] = /* @__PURE__ */ rulesWith(
  { needs: ['health', 'databaseDown'], shared: true },
  [
    {
      id: 'health.down.status-code',
      says: 'Health MUST respond with 503 and DOWN while a component of it is down.',
      section,
      check: (service) =>
        whileDown(service, ({ answer, report }) => {
          wantStatus(answer, 503)
          want(answer, report['status'] === 'DOWN', '"status":"DOWN"')
        }),
    },
    {
      id: 'health.down.report',
      says: 'A report of DOWN MUST still be a health report, and not a problem document.',
      section,
      check: (service) => whileDown(service, ({ answer }) => wantJson(answer, service)),
    },
    {
      id: 'health.down.component',
      says: 'A component that is down MUST be reported as DOWN, and its URL respond with 503.',
      section,
      check: (service) =>
        whileDown(service, async ({ answer, report }) => {
          if (!isObject(report['components'])) return
          const [path] = [...componentsOf(report)].find(([, { status }]) => status === 'DOWN') ?? []
          want(answer, path !== undefined, 'a component that is DOWN')
          wantStatus(await service.ask(addressOf(path)), 503)
        }),
    },
    {
      id: 'health.down.others',
      says: 'A component that is down MUST NOT affect the reports of others.',
      section,
      async check(service) {
        const { report: before } = await reportAt(service)
        const names = [...componentsOf(before)].map(([path]) => path.join('/')).join()
        await whileDown(service, ({ answer, report }) => {
          const now = [...componentsOf(report)].map(([path]) => path.join('/')).join()
          want(answer, now === names, `the components ${names || '(none)'}, as before`)
        })
      },
    },
    {
      id: 'health.down.head',
      says: 'HEAD MUST have the status of GET while the service is down.',
      section: 'RFC 9110 §9.3.2',
      check: (service) =>
        whileDown(service, async () => wantStatus(await service.ask('/health', { method: 'HEAD' }), 503)),
    },
    {
      id: 'health.down.recovers',
      says: 'Health MUST be UP again once the component is.',
      section,
      async check(service) {
        await whileDown(service, () => undefined)
        await service.eventually(async () => {
          const { answer, report } = await reportAt(service)
          want(answer, answer.status === 200 && report['status'] === 'UP', 'status 200 and "status":"UP"')
        })
      },
    },
  ],
)

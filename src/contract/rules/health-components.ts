import { want, wantStatus } from '../answer.ts'
import type { Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { skip } from '../skip.ts'
import { addressOf, componentsOf, reportAt } from './report-tree.ts'

const section = 'Health report'
const actuator = 'Spring Boot Actuator, health'
const needs = ['health'] as const
/** The paths of all components that the caller sees; with `depth`, of those alone that lie so deep. */
async function pathsOf(service: Service, depth?: number): Promise<readonly (readonly string[])[]> {
  const { report } = await reportAt(service)
  const paths = [...componentsOf(report)]
    .map(([path]) => path)
    .filter((path) => depth === undefined || path.length === depth)
  return paths.length > 0
    ? paths
    : skip(depth === undefined ? 'health shows no components' : 'no component has components')
}

export const healthComponentRules: readonly Rule[] = [
  {
    id: 'health.drill-down.component',
    says: 'Each component that is shown MUST have an address of its own, with its report.',
    section,
    needs,
    shared: true,
    async check(service) {
      for (const path of await pathsOf(service, 1)) {
        const { answer, report } = await reportAt(service, addressOf(path))
        want(answer, typeof report['status'] === 'string', 'a report with a text status')
      }
    },
  },
  {
    id: 'health.drill-down.nested',
    says: 'A component of a component MUST have an address below it.',
    section: actuator,
    needs,
    shared: true,
    async check(service) {
      for (const path of await pathsOf(service, 2)) {
        const { answer, report } = await reportAt(service, addressOf(path))
        want(answer, typeof report['status'] === 'string', 'a report with a text status')
      }
    },
  },
  {
    id: 'health.drill-down.status-code',
    says: 'The report of a component MUST be sent with the code that goes with its status.',
    section: 'Errors, 200',
    needs,
    shared: true,
    async check(service) {
      for (const path of await pathsOf(service)) {
        const { answer, report } = await reportAt(service, addressOf(path))
        if (report['status'] === 'UP' || report['status'] === 'UNKNOWN') wantStatus(answer, 200)
        if (report['status'] === 'DOWN' || report['status'] === 'OUT_OF_SERVICE') wantStatus(answer, 503)
      }
    },
  },
  {
    id: 'health.drill-down.unknown-404',
    says: 'A component that is not there MUST be answered with 404.',
    section: 'Errors, 404',
    needs,
    shared: true,
    async check(service) {
      wantStatus(await service.ask('/health/no-such-component'), 404)
    },
  },
  {
    id: 'health.drill-down.deeper-404',
    says: 'What lies below a component without parts MUST be answered with 404.',
    section: 'Errors, 404',
    needs,
    shared: true,
    async check(service) {
      const [path = []] = await pathsOf(service)
      wantStatus(await service.ask(`${addressOf(path)}/no-such-part/at-all`), 404)
    },
  },
  {
    id: 'health.drill-down.inherited-name-404',
    says: 'A name that every object has MUST NOT be a component.',
    section: 'Errors, 404',
    needs,
    shared: true,
    async check(service) {
      for (const name of ['__proto__', 'constructor', 'toString']) wantStatus(await service.ask(`/health/${name}`), 404)
    },
  },
  {
    id: 'health.drill-down.encoded-name',
    says: 'A name with percent-encoded letters MUST be the same name.',
    section: 'RFC 3986 §6.2.2.2',
    needs,
    shared: true,
    async check(service) {
      const [[name = ''] = []] = await pathsOf(service, 1)
      const encoded = [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      const plain = await service.ask(addressOf([name]))
      const answer = await service.ask(`/health/${encoded}`)
      want(answer, answer.status === plain.status, `status ${plain.status}, as of ${addressOf([name])}`)
    },
  },
  {
    id: 'health.drill-down.no-groups',
    says: 'The report of a component SHOULD NOT tell of groups.',
    section,
    needs,
    async check(service) {
      for (const path of await pathsOf(service)) {
        const { answer, report } = await reportAt(service, addressOf(path))
        want(answer, !('groups' in report), 'no member groups')
      }
    },
  },
]

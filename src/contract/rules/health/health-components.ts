import { want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { addressOf, componentsOf, reportAt } from './report-tree.ts'

const section = 'Health report'
const actuator = 'Spring Boot Actuator, health'
/** Paths of all visible components; with `depth`, only those at that depth. */
async function pathsOf(service: Service, depth?: number): Promise<readonly (readonly string[])[]> {
  const { report } = await reportAt(service)
  const paths = [...componentsOf(report)]
    .map(([path]) => path)
    .filter((path) => depth === undefined || path.length === depth)
  return paths.length > 0
    ? paths
    : skip(depth === undefined ? 'health shows no components' : 'no component has subcomponents')
}

/** Yields the report of each of these components, at a URL of its own. */
async function* reportsOf(service: Service, depth?: number): AsyncGenerator<Awaited<ReturnType<typeof reportAt>>> {
  for (const path of await pathsOf(service, depth)) yield reportAt(service, addressOf(path))
}

export const healthComponentRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['health'], shared: true }, [
  {
    id: 'health.drill-down.component',
    says: 'A visible component MUST have a URL of its own, with its report.',
    section,
    async check(service) {
      for await (const { answer, report } of reportsOf(service, 1)) {
        want(answer, typeof report['status'] === 'string', 'a report with a string status')
      }
    },
  },
  {
    id: 'health.drill-down.nested',
    says: 'A subcomponent MUST have a URL below its component.',
    section: actuator,
    async check(service) {
      for await (const { answer, report } of reportsOf(service, 2)) {
        want(answer, typeof report['status'] === 'string', 'a report with a string status')
      }
    },
  },
  {
    id: 'health.drill-down.status-code',
    says: 'A component’s report MUST have the status code of its status.',
    section: 'Errors, 200',
    async check(service) {
      for await (const { answer, report } of reportsOf(service)) {
        if (report['status'] === 'UP' || report['status'] === 'UNKNOWN') wantStatus(answer, 200)
        if (report['status'] === 'DOWN' || report['status'] === 'OUT_OF_SERVICE') wantStatus(answer, 503)
      }
    },
  },
  {
    id: 'health.drill-down.unknown-404',
    says: 'An unknown component MUST be answered with 404.',
    section: 'Errors, 404',
    check: async (service) => wantStatus(await service.ask('/health/no-such-component'), 404),
  },
  {
    id: 'health.drill-down.deeper-404',
    says: 'A path below a component without subcomponents MUST be answered with 404.',
    section: 'Errors, 404',
    async check(service) {
      const [path = []] = await pathsOf(service)
      wantStatus(await service.ask(`${addressOf(path)}/no-such-part/at-all`), 404)
    },
  },
  {
    id: 'health.drill-down.inherited-name-404',
    says: 'A name from Object.prototype MUST NOT be a component.',
    section: 'Errors, 404',
    async check(service) {
      for (const name of ['__proto__', 'constructor', 'toString']) wantStatus(await service.ask(`/health/${name}`), 404)
    },
  },
  {
    id: 'health.drill-down.encoded-name',
    says: 'Percent-encoded letters in a name MUST be decoded.',
    section: 'RFC 3986 §6.2.2.2',
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
    says: 'A component’s report SHOULD NOT have groups.',
    section,
    shared: false,
    async check(service) {
      for await (const { answer, report } of reportsOf(service)) {
        want(answer, !('groups' in report), 'no member groups')
      }
    },
  },
])

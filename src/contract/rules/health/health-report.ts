import { want, wantFieldLike, wantNoField, wantStatus } from '../../answer.ts'
import { isObject, isSortedAndUnique, isTexts, membersOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { wantJson } from '../json-resource.ts'
import { componentsOf, reportAt, worstOf } from './report-tree.ts'

const section = 'Health report'

export const healthReportRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['health'], shared: true }, [
  {
    id: 'health.report.json',
    says: 'The report MUST be JSON for every status.',
    section,
    async check(service) {
      const { answer } = await reportAt(service)
      wantJson(answer, service)
    },
  },
  {
    id: 'health.report.status',
    says: 'The report MUST have a string status at its top level, without an envelope.',
    section,
    async check(service) {
      const { answer, report } = await reportAt(service)
      want(
        answer,
        typeof report['status'] === 'string' && /^\S+$/.test(report['status']),
        'a member status such as "UP"',
      )
    },
  },
  {
    id: 'health.report.status-code',
    says: 'A report with DOWN or OUT_OF_SERVICE MUST NOT be sent with 200, nor one with UP with 503.',
    section: 'Errors, 200',
    async check(service) {
      const { answer, report } = await reportAt(service)
      if (report['status'] === 'UP') wantStatus(answer, 200)
      if (report['status'] === 'DOWN' || report['status'] === 'OUT_OF_SERVICE') wantStatus(answer, 503)
    },
  },
  {
    id: 'health.report.components',
    says: 'Components, if shown, MUST be an object of reports by name, each with a string status.',
    section,
    async check(service) {
      const { answer, report } = await reportAt(service)
      const reports = [report, ...[...componentsOf(report)].map(([, component]) => component)]
      for (const { components } of reports) {
        if (components === undefined) continue
        want(answer, isObject(components), 'components that are an object')
        for (const [name, one] of Object.entries(components)) {
          want(answer, isObject(one) && typeof one['status'] === 'string', `a component ${name} with a string status`)
        }
      }
    },
  },
  {
    id: 'health.report.sorted',
    says: 'Components SHOULD be sorted by name.',
    section: 'Spring Boot Actuator, health',
    async check(service) {
      const { answer, report } = await reportAt(service)
      const names = isObject(report['components']) ? Object.keys(report['components']) : []
      want(answer, isSortedAndUnique(names), 'components sorted by name')
    },
  },
  {
    id: 'health.report.aggregate',
    says: 'A component SHOULD have the worst status of its parts: DOWN, OUT_OF_SERVICE, UP, UNKNOWN.',
    section: 'Spring Boot Actuator, health',
    async check(service) {
      const { answer, report } = await reportAt(service)
      const wholes = [
        ['health', report] as const,
        ...[...componentsOf(report)].map(([path, one]) => [path.join('/'), one] as const),
      ]
      for (const [name, whole] of wholes) {
        const worst = isObject(whole['components']) ? worstOf(whole['components']) : undefined
        want(
          answer,
          worst === undefined || whole['status'] === worst,
          `status ${worst} of ${name}, as of its components`,
        )
      }
    },
  },
  {
    id: 'health.report.details',
    says: 'Details, if shown, MUST be an object.',
    section,
    async check(service) {
      const { answer, report } = await reportAt(service)
      for (const [path, { details }] of componentsOf(report)) {
        want(answer, details === undefined || isObject(details), `details of ${path.join('/')} that are an object`)
      }
    },
  },
  {
    id: 'health.report.no-credentials',
    says: 'Details MUST NOT contain passwords, and URLs no user information.',
    section: 'Authentication',
    async check(service) {
      const { answer, report } = await reportAt(service)
      for (const [way, , value] of membersOf(report)) {
        want(answer, typeof value !== 'string' || !/:\/\/[^/\s:@]*:[^/\s@]+@/.test(value), `no credentials in ${way}`)
      }
    },
  },
  {
    id: 'health.report.repeatable',
    says: 'GET MUST be repeatable: two consecutive reports have the same components.',
    section: 'Conventions for endpoints, GET',
    async check(service) {
      const names = async () => {
        const { answer, report } = await reportAt(service)
        return { answer, names: [...componentsOf(report)].map(([path]) => path.join('/')).join() }
      }
      const first = await names()
      const second = await names()
      want(second.answer, first.names === second.names, `the components ${first.names || '(none)'}, as before`)
    },
  },
  {
    id: 'health.report.groups',
    says: 'Groups, if shown, MUST be sorted names without duplicates.',
    section: 'Spring Boot Actuator, health',
    async check(service) {
      const { answer, report } = await reportAt(service)
      const { groups } = report
      want(
        answer,
        groups === undefined || (isTexts(groups) && isSortedAndUnique(groups)),
        'groups that are sorted names',
      )
    },
  },
  {
    id: 'health.caching.no-store',
    says: 'Reports MUST NOT be stored: Cache-Control forbids it.',
    section: 'Conventions for endpoints, headers',
    shared: false,
    async check(service) {
      const { answer } = await reportAt(service)
      wantFieldLike(answer, 'Cache-Control', /\bno-store\b/, 'no-store')
    },
  },
  {
    id: 'health.caching.no-validators',
    says: 'Reports SHOULD NOT have validators, since they are not stored.',
    section: 'RFC 9111 §5.2.2.5',
    shared: false,
    async check(service) {
      const { answer } = await reportAt(service)
      wantNoField(answer, 'ETag')
      wantNoField(answer, 'Last-Modified')
    },
  },
  {
    id: 'health.caching.never-304',
    says: 'Reports MUST be sent in full, also in response to conditional requests.',
    section: 'RFC 9111 §5.2.2.5',
    async check(service) {
      for (const headers of [{ 'If-None-Match': '*' }, { 'If-Modified-Since': 'Fri, 31 Dec 2100 23:59:59 GMT' }]) {
        const { answer } = await reportAt(service, '/health', { headers })
        want(answer, answer.text !== '', 'a report')
      }
    },
  },
])

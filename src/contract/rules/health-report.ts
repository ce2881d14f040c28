import { want, wantFieldLike, wantNoField, wantStatus } from '../answer.ts'
import { isObject, isSortedAndUnique, isTexts, membersOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import { wantJson } from './media-types.ts'
import { componentsOf, reportAt, worstOf } from './report-tree.ts'

const section = 'Health report'
const needs = ['health'] as const

export const healthReportRules: readonly Rule[] = [
  {
    id: 'health.report.json',
    says: 'The report MUST be JSON, whatever the status.',
    section,
    needs,
    shared: true,
    async check(service) {
      const { answer } = await reportAt(service)
      wantJson(answer, service)
    },
  },
  {
    id: 'health.report.status',
    says: 'The report MUST have a text status at its top, without an envelope around it.',
    section,
    needs,
    shared: true,
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
    says: 'A report that says DOWN or OUT_OF_SERVICE MUST NOT be sent with 200, nor one that says UP with 503.',
    section: 'Errors, 200',
    needs,
    shared: true,
    async check(service) {
      const { answer, report } = await reportAt(service)
      if (report['status'] === 'UP') wantStatus(answer, 200)
      if (report['status'] === 'DOWN' || report['status'] === 'OUT_OF_SERVICE') wantStatus(answer, 503)
    },
  },
  {
    id: 'health.report.components',
    says: 'Components, where they are shown, MUST be an object of reports by name, each with a text status.',
    section,
    needs,
    shared: true,
    async check(service) {
      const { answer, report } = await reportAt(service)
      const reports = [report, ...[...componentsOf(report)].map(([, component]) => component)]
      for (const { components } of reports) {
        if (components === undefined) continue
        want(answer, isObject(components), 'components that are an object')
        for (const [name, one] of Object.entries(components)) {
          want(answer, isObject(one) && typeof one['status'] === 'string', `a component ${name} with a text status`)
        }
      }
    },
  },
  {
    id: 'health.report.sorted',
    says: 'Components SHOULD be sorted by name.',
    section: 'Spring Boot Actuator, health',
    needs,
    shared: true,
    async check(service) {
      const { answer, report } = await reportAt(service)
      const names = isObject(report['components']) ? Object.keys(report['components']) : []
      want(answer, isSortedAndUnique(names), 'components in the order of their names')
    },
  },
  {
    id: 'health.report.aggregate',
    says: 'A whole SHOULD have the status of its parts that is first of DOWN, OUT_OF_SERVICE, UP and UNKNOWN.',
    section: 'Spring Boot Actuator, health',
    needs,
    shared: true,
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
    says: 'Details, where they are shown, MUST be an object.',
    section,
    needs,
    shared: true,
    async check(service) {
      const { answer, report } = await reportAt(service)
      for (const [path, { details }] of componentsOf(report)) {
        want(answer, details === undefined || isObject(details), `details of ${path.join('/')} that are an object`)
      }
    },
  },
  {
    id: 'health.report.no-credentials',
    says: 'No detail MUST ever hold a password: a URL in it has no user information.',
    section: 'Authentication',
    needs,
    shared: true,
    async check(service) {
      const { answer, report } = await reportAt(service)
      for (const [way, , value] of membersOf(report)) {
        want(answer, typeof value !== 'string' || !/:\/\/[^/\s:@]*:[^/\s@]+@/.test(value), `no credentials in ${way}`)
      }
    },
  },
  {
    id: 'health.report.repeatable',
    says: 'GET MUST be repeatable: two reports, one after the other, have the same components.',
    section: 'Conventions for endpoints, GET',
    needs,
    shared: true,
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
    says: 'Groups, where they are told, MUST be sorted names, each once.',
    section: 'Spring Boot Actuator, health',
    needs,
    shared: true,
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
    says: 'Reports MUST NOT be kept by anybody: Cache-Control forbids it.',
    section: 'Conventions for endpoints, headers',
    needs,
    async check(service) {
      const { answer } = await reportAt(service)
      wantFieldLike(answer, 'Cache-Control', /\bno-store\b/, 'no-store')
    },
  },
  {
    id: 'health.caching.no-validators',
    says: 'Reports SHOULD NOT have validators, since nobody keeps them.',
    section: 'RFC 9111 §5.2.2.5',
    needs,
    async check(service) {
      const { answer } = await reportAt(service)
      wantNoField(answer, 'ETag')
      wantNoField(answer, 'Last-Modified')
    },
  },
  {
    id: 'health.caching.never-304',
    says: 'A report MUST be sent whole whatever the condition: an instance is asked how it is now.',
    section: 'RFC 9111 §5.2.2.5',
    needs,
    shared: true,
    async check(service) {
      for (const headers of [{ 'If-None-Match': '*' }, { 'If-Modified-Since': 'Fri, 31 Dec 2100 23:59:59 GMT' }]) {
        const { answer } = await reportAt(service, '/health', { headers })
        want(answer, answer.text !== '', 'a report')
      }
    },
  },
]

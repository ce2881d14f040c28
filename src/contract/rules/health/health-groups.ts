import { want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { isObject, isTexts } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { reportAt, worstOf } from './report-tree.ts'

const actuator = 'Spring Boot Actuator, health'

async function groupsOf(service: Service): Promise<readonly string[]> {
  const { report } = await reportAt(service)
  const { groups } = report
  return isTexts(groups) && groups.length > 0 ? groups : skip('health has no groups')
}

/** Yields the report of each group. */
async function* groupReports(service: Service): AsyncGenerator<Awaited<ReturnType<typeof reportAt>>> {
  for (const group of await groupsOf(service)) yield reportAt(service, `/health/${encodeURIComponent(group)}`)
}

export const healthGroupRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['health'], shared: true }, [
  {
    id: 'health.groups.answer',
    says: 'A group MUST have a URL of its own, with a report.',
    section: actuator,
    async check(service) {
      for await (const { answer, report } of groupReports(service)) {
        want(answer, typeof report['status'] === 'string', 'a report with a string status')
      }
    },
  },
  {
    id: 'health.groups.status-code',
    says: 'A group with DOWN or OUT_OF_SERVICE MUST NOT be sent with 200.',
    section: 'Errors, 200',
    async check(service) {
      for await (const { answer, report } of groupReports(service)) {
        if (report['status'] === 'DOWN' || report['status'] === 'OUT_OF_SERVICE') wantStatus(answer, 503)
      }
    },
  },
  {
    id: 'health.groups.no-groups-inside',
    says: 'The report of a group MUST NOT have groups.',
    section: actuator,
    async check(service) {
      for await (const { answer, report } of groupReports(service)) {
        want(answer, !('groups' in report), 'no member groups')
      }
    },
  },
  {
    id: 'health.groups.probes',
    says: 'The probes SHOULD be groups of health.',
    section: 'Management endpoints',
    async check(service) {
      const { answer, report } = await reportAt(service)
      const groups = isTexts(report['groups']) ? report['groups'] : []
      want(answer, groups.includes('liveness') && groups.includes('readiness'), 'groups with liveness and readiness')
    },
  },
  {
    id: 'health.groups.aggregate',
    says: 'A group that shows its members SHOULD have the worst of their statuses.',
    section: actuator,
    async check(service) {
      for await (const { answer, report } of groupReports(service)) {
        const worst = isObject(report['components']) ? worstOf(report['components']) : undefined
        want(answer, worst === undefined || report['status'] === worst, `status ${worst}, as of its components`)
      }
    },
  },
  {
    id: 'health.groups.unknown-member-404',
    says: 'A member that a group does not have MUST be answered with 404.',
    section: 'Errors, 404',
    async check(service) {
      for (const group of await groupsOf(service)) {
        wantStatus(await service.ask(`/health/${encodeURIComponent(group)}/no-such-member`), 404)
      }
    },
  },
])

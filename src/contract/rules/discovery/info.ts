import { want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { membersOf, objectOf, wantForm } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { wantJson } from '../json-resource.ts'

const section = 'Conventions for endpoints, body'

export const infoRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['info'], shared: true }, [
  {
    id: 'info.json',
    says: 'Info MUST be JSON, sent with 200.',
    section: 'Management endpoints',
    async check(service) {
      const answer = await service.ask('/info')
      wantStatus(answer, 200)
      wantJson(answer, service)
    },
  },
  {
    id: 'info.object',
    says: 'Info MUST be an object; an empty one without contents.',
    section,
    async check(service) {
      objectOf(await service.ask('/info'))
    },
  },
  {
    id: 'info.dates',
    says: 'Dates and times MUST be strings.',
    section,
    async check(service) {
      const answer = await service.ask('/info')
      for (const [way, name, value] of membersOf(objectOf(answer))) {
        const isMoment = /^(date|time|timestamp|\w+(Date|Time|Timestamp))$/.test(name)
        want(answer, !isMoment || typeof value !== 'number', `${way} as a string`)
      }
    },
  },
  {
    id: 'info.no-secrets',
    says: 'Info MUST NOT contain passwords, tokens or credentials.',
    section: 'Authentication',
    async check(service) {
      const answer = await service.ask('/info')
      for (const [way, name, value] of membersOf(objectOf(answer))) {
        const secret = /(password|passwd|secret|credentials?|api[-_]?key|access[-_]?token)$/i.test(name)
        want(answer, !(secret && typeof value === 'string' && /[^*]/.test(value)), `no ${way}`)
        want(answer, typeof value !== 'string' || !/:\/\/[^/\s:@]*:[^/\s@]+@/.test(value), `no credentials in ${way}`)
      }
    },
  },
  {
    id: 'info.certificates',
    says: 'Certificates, if shown, MUST have their subject, their validity and its end.',
    section: 'Spring Boot Actuator, info',
    async check(service) {
      const answer = await service.ask('/info')
      const { ssl } = objectOf(answer)
      if (ssl === undefined) skip('info shows no certificates')
      const certificate = { subject: 'string', validityEnds: 'instant', validity: { status: 'string' } } as const
      const bundle = { name: 'string', certificateChains: [{ certificates: [certificate] }] } as const
      wantForm(answer, ssl, { bundles: [bundle] }, 'ssl')
    },
  },
  {
    id: 'info.below-404',
    says: 'A path below info MUST be answered with 404.',
    section: 'Errors, 404',
    check: async (service) => wantStatus(await service.ask('/info/application'), 404),
  },
])

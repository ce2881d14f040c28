import { want, wantFieldLike, wantStatus } from '../../answer.ts'
import { objectOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { statusesOf } from './report-tree.ts'

const section = 'Probe behaviour'
const probes = ['liveness', 'readiness'] as const

/** The rules for both probes. */
const each = (probe: (typeof probes)[number]): readonly Rule[] => [
  {
    id: `probes.${probe}.200`,
    says:
      probe === 'liveness'
        ? 'Liveness MUST respond with 200 and UP while the instance is alive.'
        : 'Readiness MUST respond with 200 and UP while the instance is ready.',
    section,
    async check(service) {
      const answer = await service.ask(`/health/${probe}`)
      wantStatus(answer, 200)
      want(answer, objectOf(answer)['status'] === 'UP', '"status":"UP"')
    },
  },
  {
    id: `probes.${probe}.anonymous`,
    says: `The ${probe} probe MUST NOT require credentials.`,
    section: 'Authentication',
    check: async (service) => wantStatus(await service.ask(`/health/${probe}`, { stranger: true }), 200),
  },
  {
    id: `probes.${probe}.discreet`,
    says: `The ${probe} probe SHOULD NOT show details to unauthorized callers.`,
    section: 'Spring Boot Actuator, probes',
    async check(service) {
      const answer = await service.ask(`/health/${probe}`, { stranger: true })
      want(answer, !answer.text.includes('"details"'), 'a report without details')
    },
  },
  {
    id: `probes.${probe}.head`,
    says: `HEAD of the ${probe} probe MUST have the status of GET.`,
    section: 'RFC 9110 §9.3.2',
    check: async (service) => wantStatus(await service.ask(`/health/${probe}`, { method: 'HEAD' }), 200),
  },
  {
    id: `probes.${probe}.http-1.0`,
    says: `The ${probe} probe MUST support load balancers that send HTTP/1.0 without Host.`,
    section: 'RFC 9112 §3.2',
    shared: false,
    check: async (service) => wantStatus(await service.ask(`/health/${probe}`, { version: '1.0' }), 200),
  },
  {
    id: `probes.${probe}.query`,
    says: `The ${probe} probe MUST ignore unknown query parameters.`,
    section: 'Conventions for endpoints, GET',
    check: async (service) => wantStatus(await service.ask(`/health/${probe}?t=1700000000&x=%C3%A9`), 200),
  },
  {
    id: `probes.${probe}.not-kept`,
    says: `The response of the ${probe} probe MUST NOT be stored.`,
    section: 'Conventions for endpoints, headers',
    shared: false,
    async check(service) {
      wantFieldLike(await service.ask(`/health/${probe}`), 'Cache-Control', /\bno-store\b/, 'no-store')
    },
  },
  {
    id: `probes.${probe}.together`,
    says: `Concurrent requests to the ${probe} probe MUST get the same statuses.`,
    section,
    async check(service) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask(`/health/${probe}`)))
      for (const answer of answers) wantStatus(answer, 200)
      const [first] = answers.map(statusesOf)
      for (const answer of answers)
        want(answer, statusesOf(answer) === first, `the statuses ${first}, as for the others`)
    },
  },
]

export const probeRules: readonly Rule[] = /* @__PURE__ */ rulesWith(
  { needs: ['health'], shared: true },
  probes.flatMap(each),
)

import { want, wantFieldLike, wantStatus } from '../../answer.ts'
import { isSortedAndUnique, isTexts, objectOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { wantJson } from '../json-resource.ts'
import { anyMetric, metricNames, metricPath } from './metric-reading.ts'

const section = 'Management endpoints'
const collected = 'Automatically collected metric names'

/** A rule that these metrics exist. */
function has(id: string, what: string, names: readonly string[]): Rule {
  return {
    id: `metrics.collected.${id}`,
    says: `${what} SHOULD be measured: ${names.join(', ')}.`,
    section: collected,
    async check(service) {
      const answer = await service.ask('/metrics')
      const { names: all } = objectOf(answer)
      const missing = names.filter((name) => !isTexts(all) || !all.includes(name))
      want(answer, missing.length === 0, `the names ${missing.join(', ')}`)
    },
  }
}

export const metricNameRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['metrics'], shared: true }, [
  {
    id: 'metrics.names.json',
    says: 'The list of metrics MUST be JSON, sent with 200.',
    section,
    async check(service) {
      const answer = await service.ask('/metrics')
      wantStatus(answer, 200)
      wantJson(answer, service)
    },
  },
  {
    id: 'metrics.names.texts',
    says: 'The list of metrics MUST be an object whose names are an array of strings.',
    section: 'Spring Boot Actuator, metrics',
    async check(service) {
      await metricNames(service)
    },
  },
  {
    id: 'metrics.names.sorted',
    says: 'The names of metrics MUST be sorted, without duplicates.',
    section: 'Spring Boot Actuator, metrics',
    async check(service) {
      const answer = await service.ask('/metrics')
      const { names } = objectOf(answer)
      want(answer, isTexts(names) && isSortedAndUnique(names), 'sorted names without duplicates')
    },
  },
  {
    id: 'metrics.names.form',
    says: 'The names of metrics MUST be lower-case words joined by dots.',
    section: collected,
    shared: false,
    async check(service) {
      const answer = await service.ask('/metrics')
      for (const name of await metricNames(service))
        want(answer, /^[a-zA-Z][\w.-]*$/.test(name), `no name such as ${name}`)
    },
  },
  has('memory', 'Memory', ['jvm.memory.max', 'jvm.memory.used']),
  has('threads', 'Threads', ['jvm.threads.live']),
  has('system', 'The system and the process', ['process.uptime', 'system.cpu.usage']),
  {
    id: 'metrics.unknown-404',
    says: 'An unknown metric MUST be answered with 404.',
    section: 'Errors, 404',
    check: async (service) => wantStatus(await service.ask('/metrics/no.such.metric'), 404),
  },
  {
    id: 'metrics.inherited-name-404',
    says: 'A name from Object.prototype MUST NOT be a metric.',
    section: 'Errors, 404',
    async check(service) {
      for (const name of ['__proto__', 'constructor', 'toString'])
        wantStatus(await service.ask(`/metrics/${name}`), 404)
    },
  },
  {
    id: 'metrics.case',
    says: 'The names of metrics MUST be case-sensitive.',
    section: 'RFC 3986 §6.2.2.1',
    check: async (service) => wantStatus(await service.ask(metricPath((await anyMetric(service)).toUpperCase())), 404),
  },
  {
    id: 'metrics.below-404',
    says: 'A path below a metric MUST be answered with 404.',
    section: 'Errors, 404',
    check: async (service) => wantStatus(await service.ask(`${metricPath(await anyMetric(service))}/count`), 404),
  },
  {
    id: 'metrics.caching',
    says: 'Measurements MUST NOT be reused without revalidation.',
    section: 'Conventions for endpoints, headers',
    shared: false,
    async check(service) {
      for (const path of ['/metrics', metricPath(await anyMetric(service))]) {
        wantFieldLike(await service.ask(path), 'Cache-Control', /\bno-(cache|store)\b/, 'no-cache or no-store')
      }
    },
  },
])

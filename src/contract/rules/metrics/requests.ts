import { want, wantStatus } from '../../answer.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { type Detail, metricDetail, metricPath } from './metric-reading.ts'

const section = 'Automatically collected metric names, HTTP'
const metric = 'http.server.requests'

/** Requests the application's route and returns the new measurements of requests, once recorded. */
async function afterRequest(service: Service, tags: readonly string[] = []): Promise<Detail> {
  const before = await countOf(service, tags)
  const { route = '/' } = service.settings
  const own = await service.askApplication(route)
  want(own, own.status >= 200 && own.status < 300, 'a status from 200 to 299 from the configured route')
  await service.eventually(async () => {
    const { answer, values } = await metricDetail(service, metric, tags)
    want(answer, (values.get('COUNT') ?? 0) > before, `a COUNT above ${before}, after one more request`)
  })
  return metricDetail(service, metric, tags)
}

/** 0 before the first request. */
async function countOf(service: Service, tags: readonly string[]): Promise<number> {
  const { status } = await service.ask(metricPath(metric, tags))
  return status === 404 ? 0 : ((await metricDetail(service, metric, tags)).values.get('COUNT') ?? 0)
}

export const requestRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['metrics', 'route'], shared: true }, [
  {
    id: 'metrics.requests.counted',
    says: 'Each request to the application MUST be counted in http.server.requests.',
    section,
    async check(service) {
      const first = await afterRequest(service)
      const second = await afterRequest(service)
      want(second.answer, Number(second.values.get('COUNT')) > Number(first.values.get('COUNT')), 'a COUNT that grows')
    },
  },
  {
    id: 'metrics.requests.statistics',
    says: 'Requests MUST be measured by COUNT, TOTAL_TIME and MAX, in seconds.',
    section: 'Metric kinds, timer',
    async check(service) {
      const { answer, detail, values } = await afterRequest(service)
      for (const statistic of ['COUNT', 'TOTAL_TIME', 'MAX'])
        want(answer, values.has(statistic), `a measurement ${statistic}`)
      want(answer, detail['baseUnit'] === 'seconds', '"baseUnit":"seconds"')
    },
  },
  {
    id: 'metrics.requests.tags',
    says: 'Requests MUST have the tags uri, method and status.',
    section: 'Metric detail, tags',
    async check(service) {
      const { answer, tags } = await afterRequest(service)
      for (const tag of ['uri', 'method', 'status']) want(answer, tags.has(tag), `a tag ${tag}`)
    },
  },
  {
    id: 'metrics.requests.by-status',
    says: 'Requests MUST be counted by status and method.',
    section: 'Metric detail, tags',
    async check(service) {
      await afterRequest(service, ['method:GET', 'outcome:SUCCESS'])
    },
  },
  {
    id: 'metrics.requests.sum',
    says: 'The counts by one tag MUST add up to the total.',
    section,
    async check(service) {
      const whole = await afterRequest(service)
      let sum = 0
      for (const status of whole.tags.get('status') ?? []) {
        sum += Number((await metricDetail(service, metric, [`status:${status}`])).values.get('COUNT'))
      }
      const after = await metricDetail(service, metric)
      const [least, most] = [Number(whole.values.get('COUNT')), Number(after.values.get('COUNT'))]
      want(after.answer, sum >= least && sum <= most, `a COUNT of ${sum}, the sum of all statuses`)
    },
  },
  {
    id: 'metrics.requests.template',
    says: 'The tag uri MUST NOT contain raw paths.',
    section,
    async check(service) {
      const path = `/contract-${process.pid}-nobody-knows-this`
      await service.askApplication(path)
      const { answer, tags } = await afterRequest(service)
      want(answer, !(tags.get('uri') ?? []).some((uri) => uri.includes(path)), `no uri ${path}`)
    },
  },
  {
    id: 'metrics.requests.methods',
    says: 'An unknown method SHOULD NOT become a value of the tag method.',
    section,
    shared: false,
    async check(service) {
      await service.askApplication(service.settings.route ?? '/', { method: 'PROPFIND' })
      const { answer, tags } = await afterRequest(service)
      want(answer, !(tags.get('method') ?? []).includes('PROPFIND'), 'no method PROPFIND')
    },
  },
  {
    id: 'metrics.requests.times',
    says: 'The total time MUST NOT be less than the maximum.',
    section: 'Metric kinds, timer',
    async check(service) {
      const { answer, values } = await afterRequest(service)
      const [total, max] = [Number(values.get('TOTAL_TIME')), Number(values.get('MAX'))]
      want(answer, total > 0 && max >= 0 && total >= max * 0.999_999, 'a TOTAL_TIME above 0, and at least MAX')
    },
  },
  {
    id: 'metrics.requests.management',
    says: 'Requests to the management endpoints SHOULD NOT be counted as requests to the application.',
    section,
    shared: false,
    async check(service) {
      const { answer, tags } = await afterRequest(service)
      wantStatus(await service.ask('/health/liveness'), 200, 404)
      want(
        answer,
        !(tags.get('uri') ?? []).some((uri) => uri.startsWith(service.at('/'))),
        `no uri below ${service.at('')}`,
      )
    },
  },
])

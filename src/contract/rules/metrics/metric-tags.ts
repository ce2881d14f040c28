import { want, wantStatus } from '../../answer.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { metricDetail, metricPath, taggedMetric } from './metric-reading.ts'

const section = 'Management endpoints, tag'

export const metricTagRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['metrics'], shared: true }, [
  {
    id: 'metrics.tag.narrows',
    says: 'Each available value of a tag MUST filter by it, and the tag is then no longer available.',
    section,
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      for (const value of values.slice(0, 10)) {
        const { answer, tags } = await metricDetail(service, name, [`${tag}:${value}`])
        want(answer, !tags.has(tag), `availableTags without ${tag}`)
      }
    },
  },
  {
    id: 'metrics.tag.repeated',
    says: 'Several tags MUST all match: no series has two values of one tag.',
    section,
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      const tags = [`${tag}:${values[0]}`, `${tag}:${values[1] ?? 'no-such-value'}`]
      wantStatus(await service.ask(metricPath(name, tags)), 404)
    },
  },
  {
    id: 'metrics.tag.unknown-value-404',
    says: 'An unknown value of a tag MUST be answered with 404.',
    section: 'Errors, 404',
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:no-such-value`])), 404)
    },
  },
  {
    id: 'metrics.tag.unknown-tag-404',
    says: 'An unknown tag MUST be answered with 404.',
    section: 'Errors, 404',
    async check(service) {
      const { name } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, ['no-such-tag:x'])), 404)
    },
  },
  {
    id: 'metrics.tag.no-colon-400',
    says: 'A tag without a colon MUST be rejected with 400.',
    section: 'Errors, 400',
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [tag])), 400)
    },
  },
  {
    id: 'metrics.tag.empty-400',
    says: 'An empty tag MUST be rejected with 400.',
    section: 'Errors, 400',
    shared: false,
    async check(service) {
      const { name } = await taggedMetric(service)
      wantStatus(await service.ask(`${metricPath(name)}?tag=`), 400)
    },
  },
  {
    id: 'metrics.tag.first-colon',
    says: 'A tag MUST be split at its first colon: its value may contain others.',
    section,
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:a:b`])), 404)
    },
  },
  {
    id: 'metrics.tag.comma',
    says: 'A comma MUST be part of a tag’s value.',
    section,
    shared: false,
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:${values[0]},${tag}:${values[0]}`])), 404)
    },
  },
  {
    id: 'metrics.tag.encoded',
    says: 'Percent-encoded letters of a tag MUST be decoded.',
    section: 'RFC 3986 §6.2.2.2',
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      const encoded = [...Buffer.from(`${tag}:${values[0]}`)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('')
      wantStatus(await service.ask(`${metricPath(name)}?tag=${encoded}`), 200)
    },
  },
])

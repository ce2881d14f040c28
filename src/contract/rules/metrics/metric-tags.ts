import { want, wantStatus } from '../../answer.ts'
import type { Rule } from '../../rule.ts'
import { metricDetail, metricPath, taggedMetric } from './metric-reading.ts'

const section = 'Management endpoints, tag'
const needs = ['metrics'] as const

export const metricTagRules: readonly Rule[] = [
  {
    id: 'metrics.tag.narrows',
    says: 'Each available value of a tag MUST filter by it, and the tag is then no longer available.',
    section,
    needs,
    shared: true,
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
    needs,
    shared: true,
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
    needs,
    shared: true,
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:no-such-value`])), 404)
    },
  },
  {
    id: 'metrics.tag.unknown-tag-404',
    says: 'An unknown tag MUST be answered with 404.',
    section: 'Errors, 404',
    needs,
    shared: true,
    async check(service) {
      const { name } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, ['no-such-tag:x'])), 404)
    },
  },
  {
    id: 'metrics.tag.no-colon-400',
    says: 'A tag without a colon MUST be rejected with 400.',
    section: 'Errors, 400',
    needs,
    shared: true,
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [tag])), 400)
    },
  },
  {
    id: 'metrics.tag.empty-400',
    says: 'An empty tag MUST be rejected with 400.',
    section: 'Errors, 400',
    needs,
    async check(service) {
      const { name } = await taggedMetric(service)
      wantStatus(await service.ask(`${metricPath(name)}?tag=`), 400)
    },
  },
  {
    id: 'metrics.tag.first-colon',
    says: 'A tag MUST be split at its first colon: its value may contain others.',
    section,
    needs,
    shared: true,
    async check(service) {
      const { name, tag } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:a:b`])), 404)
    },
  },
  {
    id: 'metrics.tag.comma',
    says: 'A comma MUST be part of a tag’s value.',
    section,
    needs,
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(name, [`${tag}:${values[0]},${tag}:${values[0]}`])), 404)
    },
  },
  {
    id: 'metrics.tag.encoded',
    says: 'Percent-encoded letters of a tag MUST be decoded.',
    section: 'RFC 3986 §6.2.2.2',
    needs,
    shared: true,
    async check(service) {
      const { name, tag, values } = await taggedMetric(service)
      const encoded = [...Buffer.from(`${tag}:${values[0]}`)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('')
      wantStatus(await service.ask(`${metricPath(name)}?tag=${encoded}`), 200)
    },
  },
]

import { want, wantStatus } from '../../answer.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { metricDetail, metricPath, taggedMetric } from './metric-reading.ts'

const section = 'Management endpoints, tag'

type TaggedMetric = Awaited<ReturnType<typeof taggedMetric>>

/** A rule on the status of the response for tags of a metric that has a tag. */
function answers(
  id: string,
  says: string,
  from: string,
  status: number,
  tags: (metric: TaggedMetric) => readonly string[],
): Rule {
  return {
    id: `metrics.tag.${id}`,
    says,
    section: from,
    async check(service) {
      const metric = await taggedMetric(service)
      wantStatus(await service.ask(metricPath(metric.name, tags(metric))), status)
    },
  }
}

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
  answers(
    'repeated',
    'Several tags MUST all match: no series has two values of one tag.',
    section,
    404,
    ({ tag, values }) => [`${tag}:${values[0]}`, `${tag}:${values[1] ?? 'no-such-value'}`],
  ),
  answers(
    'unknown-value-404',
    'An unknown value of a tag MUST be answered with 404.',
    'Errors, 404',
    404,
    ({ tag }) => [`${tag}:no-such-value`],
  ),
  answers('unknown-tag-404', 'An unknown tag MUST be answered with 404.', 'Errors, 404', 404, () => ['no-such-tag:x']),
  answers('no-colon-400', 'A tag without a colon MUST be rejected with 400.', 'Errors, 400', 400, ({ tag }) => [tag]),
  { ...answers('empty-400', 'An empty tag MUST be rejected with 400.', 'Errors, 400', 400, () => ['']), shared: false },
  answers(
    'first-colon',
    'A tag MUST be split at its first colon: its value may contain others.',
    section,
    404,
    ({ tag }) => [`${tag}:a:b`],
  ),
  {
    ...answers('comma', 'A comma MUST be part of a tag’s value.', section, 404, ({ tag, values }) => [
      `${tag}:${values[0]},${tag}:${values[0]}`,
    ]),
    shared: false,
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

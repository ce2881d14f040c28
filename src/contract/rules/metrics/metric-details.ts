import { type Answer, want } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { isObject, isSortedAndUnique, isTexts } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { wantJson } from '../json-resource.ts'
import { allDetails, anyMetric, type Detail, metricDetail, metricNames } from './metric-reading.ts'

const section = 'Metric detail'
const statistics = 'TOTAL TOTAL_TIME COUNT MAX VALUE UNKNOWN ACTIVE_TASKS DURATION'.split(' ')

/** A rule for every metric. */
function ofEach(
  id: string,
  says: string,
  holds: (detail: Detail & { readonly name: string }) => void,
  shared = true,
): Rule {
  return {
    id: `metrics.detail.${id}`,
    says,
    section,
    shared,
    async check(service) {
      for await (const detail of allDetails(service)) holds(detail)
    },
  }
}

function measured(
  { answer, values }: { readonly answer: Answer; readonly values: Detail['values'] },
  statistic: string,
): number {
  const value = values.get(statistic)
  want(answer, value !== undefined && Number.isFinite(value), `a measurement ${statistic} with a number`)
  return value
}

async function present(service: Service, name: string): Promise<Detail> {
  if (!(await metricNames(service)).includes(name)) skip(`there is no metric ${name}`)
  return metricDetail(service, name)
}

export const metricDetailRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['metrics'], shared: true }, [
  ofEach('answers', 'A listed metric MUST have a detail, sent with 200.', () => undefined),
  ofEach('name', 'A detail MUST have the requested name.', ({ answer, detail, name }) => {
    want(answer, detail['name'] === name, `"name":"${name}"`)
  }),
  ofEach('measurements', 'Measurements MUST be an array of statistics with values.', ({ answer, detail }) => {
    const { measurements } = detail
    want(answer, Array.isArray(measurements) && measurements.length > 0, 'measurements that are a non-empty array')
    for (const one of measurements) {
      want(
        answer,
        isObject(one) && typeof one['statistic'] === 'string' && 'value' in one,
        'a statistic and a value in each',
      )
    }
  }),
  ofEach('values', 'Values MUST be JSON numbers, or null without a reading.', ({ answer, detail }) => {
    for (const one of Array.isArray(detail['measurements']) ? detail['measurements'] : []) {
      const value = isObject(one) ? one['value'] : undefined
      want(
        answer,
        typeof value === 'number' || value === null || value === 'NaN',
        'a number as value of each measurement',
      )
    }
  }),
  ofEach(
    'statistics',
    `A statistic MUST be one of ${statistics.join(', ')}, without duplicates.`,
    ({ answer, detail, values }) => {
      for (const statistic of values.keys()) want(answer, statistics.includes(statistic), `no statistic ${statistic}`)
      const count = Array.isArray(detail['measurements']) ? detail['measurements'].length : 0
      want(answer, values.size === count, 'each statistic once')
    },
  ),
  ofEach('tags', 'Available tags MUST be an array of tags with their values.', ({ answer, detail }) => {
    const { availableTags } = detail
    want(answer, Array.isArray(availableTags), 'availableTags that are an array')
    for (const one of availableTags) {
      want(
        answer,
        isObject(one) && typeof one['tag'] === 'string' && isTexts(one['values']),
        'a tag and string values in each',
      )
    }
  }),
  ofEach('tags-once', 'A tag and its values MUST NOT be repeated.', ({ answer, detail, tags }) => {
    const count = Array.isArray(detail['availableTags']) ? detail['availableTags'].length : 0
    want(answer, tags.size === count, 'each tag once')
    for (const [tag, values] of tags) want(answer, new Set(values).size === values.length, `each value of ${tag} once`)
  }),
  ofEach(
    'tags-sorted',
    'Available tags and their values SHOULD be sorted.',
    ({ answer, tags }) => {
      want(answer, isSortedAndUnique([...tags.keys()]), 'sorted tags')
      for (const [tag, values] of tags) want(answer, isSortedAndUnique(values), `sorted values of ${tag}`)
    },
    false,
  ),
  ofEach('texts', 'Description and base unit MUST be strings, and omitted if unset.', ({ answer, detail }) => {
    for (const name of ['description', 'baseUnit']) {
      want(
        answer,
        !(name in detail) || (typeof detail[name] === 'string' && detail[name] !== ''),
        `${name} as a string, or none`,
      )
    }
  }),
  {
    id: 'metrics.detail.json',
    says: 'A detail MUST be JSON.',
    section: 'Management endpoints',
    check: async (service) => wantJson((await metricDetail(service, await anyMetric(service))).answer, service),
  },
  {
    id: 'metrics.values.uptime',
    says: 'The uptime MUST grow, in seconds.',
    section: 'Automatically collected metric names',
    async check(service) {
      const before = await present(service, 'process.uptime')
      const after = await metricDetail(service, 'process.uptime')
      want(
        after.answer,
        after.detail['baseUnit'] === undefined || after.detail['baseUnit'] === 'seconds',
        '"baseUnit":"seconds"',
      )
      want(after.answer, measured(after, 'VALUE') > 0, 'an uptime above 0')
      want(
        after.answer,
        measured(after, 'VALUE') >= measured(before, 'VALUE'),
        `at least ${measured(before, 'VALUE')}, as before`,
      )
      want(after.answer, measured(after, 'VALUE') < 3e9, 'an uptime in seconds, of less than a century')
    },
  },
  {
    id: 'metrics.values.cpu',
    says: 'The CPU usage MUST be a fraction from 0 to 1.',
    section: 'Automatically collected metric names',
    async check(service) {
      const cpu = await present(service, 'system.cpu.usage')
      const value = cpu.values.get('VALUE')
      // Too little time may have passed to measure it.
      want(cpu.answer, value === undefined || !(value < 0 || value > 1), 'a value from 0 to 1')
    },
  },
  {
    id: 'metrics.values.memory',
    says: 'The used memory MUST be a number of bytes above 0.',
    section: 'Automatically collected metric names',
    async check(service) {
      const memory = await present(service, 'jvm.memory.used')
      want(memory.answer, memory.detail['baseUnit'] === 'bytes', '"baseUnit":"bytes"')
      want(memory.answer, measured(memory, 'VALUE') > 100_000, 'a value above 100,000')
    },
  },
  {
    id: 'metrics.values.counts-never-fall',
    says: 'Counts MUST NOT decrease.',
    section: 'Metric kinds, counter',
    async check(service) {
      const before = new Map<string, number>()
      for await (const { name, values } of allDetails(service)) before.set(name, values.get('COUNT') ?? 0)
      for await (const { answer, name, values } of allDetails(service)) {
        const now = values.get('COUNT')
        want(
          answer,
          now === undefined || now >= (before.get(name) ?? 0),
          `a COUNT of ${before.get(name)} at least, as before`,
        )
      }
    },
  },
])

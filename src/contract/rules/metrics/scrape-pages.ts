import { want, wantFieldLike } from '../../answer.ts'
import { cumulativeSamples, distributionFaults } from '../../exposition/distributions.ts'
import type { FaultKind } from '../../exposition/page.ts'
import { type Dialect, seriesOf } from '../../exposition/sample.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { scrape } from './scraping.ts'

const sections: Readonly<Record<Dialect, string>> = {
  text: 'Prometheus text format 0.0.4',
  openmetrics: 'OpenMetrics 1.0',
}
const names: Readonly<Record<Dialect, string>> = { text: 'text', openmetrics: 'OpenMetrics' }

/** A rule that a page has no faults of a kind. */
function without(dialect: Dialect, id: string, says: string, kind: FaultKind): Rule {
  return {
    id: `scrape.${dialect}.${id}`,
    says: `In ${names[dialect]}, ${says}`,
    section: sections[dialect],
    async check(service) {
      const { answer, page } = await scrape(service, dialect)
      const fault = page.faults.find((each) => each.kind === kind)
      want(answer, fault === undefined, 'a page without faults', fault?.says)
    },
  }
}

/** The rules for pages of either format. */
const ofDialect = (dialect: Dialect): readonly Rule[] => [
  without(dialect, 'lines', 'each line MUST be well-formed: names, escaped label values, numbers.', 'line'),
  without(dialect, 'types', 'the samples of a family MUST follow its single TYPE, with matching names.', 'type'),
  // Lines of one family follow each other.
  without(dialect, 'groups', 'the lines of a family MUST be contiguous.', 'group'),
  without(dialect, 'series-once', 'series MUST NOT be repeated.', 'series'),
  without(
    dialect,
    'end',
    dialect === 'text' ? 'the last line MUST be terminated.' : 'the page MUST end with # EOF.',
    'end',
  ),
  {
    id: `scrape.${dialect}.distributions`,
    says: `In ${names[dialect]}, buckets MUST add up to the count, and quantiles be from 0 to 1.`,
    section: sections[dialect],
    async check(service) {
      const { answer, page } = await scrape(service, dialect)
      for (const family of page.families.values()) {
        const [fault] = distributionFaults(family)
        want(answer, fault === undefined, `a valid ${family.type} ${family.name}`, fault)
      }
    },
  },
  {
    id: `scrape.${dialect}.counters`,
    says: `In ${names[dialect]}, a counter MUST have a name with _total, and no negative value.`,
    section: sections[dialect],
    async check(service) {
      const { answer, page } = await scrape(service, dialect)
      for (const family of page.families.values()) {
        for (const sample of family.type === 'counter' ? family.samples : []) {
          want(answer, /_(total|created)$/.test(sample.name), `a counter ${sample.name}_total`)
          want(answer, sample.value >= 0, `a value of ${sample.name} that is not negative`)
        }
      }
    },
  },
  {
    id: `scrape.${dialect}.never-falls`,
    says: `In ${names[dialect]}, counts MUST NOT decrease from one scrape to the next.`,
    section: 'Metric kinds, counter',
    async check(service) {
      const counts = async () => {
        const { answer, page } = await scrape(service, dialect)
        const samples = [...page.families.values()].flatMap(cumulativeSamples)
        return { answer, values: new Map(samples.map((sample) => [seriesOf(sample), sample.value])) }
      }
      const { values: before } = await counts()
      const { answer, values: after } = await counts()
      for (const [series, value] of before) {
        const now = after.get(series)
        want(answer, now === undefined || !(now < value), `${series} of ${value} at least, as before`)
      }
    },
  },
  {
    id: `scrape.${dialect}.not-empty`,
    says: `In ${names[dialect]}, there MUST be series.`,
    section: 'Management endpoints',
    async check(service) {
      const { answer, page } = await scrape(service, dialect)
      want(answer, page.families.size > 0, 'at least one family')
    },
  },
]

const openMetricsType = /^application\/openmetrics-text; ?version=1\.0\.0; ?charset=utf-8(?:; ?escaping=[\w-]+)?$/i

export const scrapePageRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['prometheus'], shared: true }, [
  ...ofDialect('text'),
  ...ofDialect('openmetrics'),
  {
    id: 'scrape.text.media-type',
    says: 'A request without Accept MUST get the text format, with its media type.',
    section: sections.text,
    async check(service) {
      const { answer } = await scrape(service, 'text')
      wantFieldLike(
        answer,
        'Content-Type',
        service.settings.profile.textType,
        'text/plain; version=0.0.4; charset=utf-8',
      )
    },
  },
  {
    id: 'scrape.openmetrics.media-type',
    says: 'A client that requests OpenMetrics MUST get it, with its media type.',
    section: sections.openmetrics,
    async check(service) {
      const { answer } = await scrape(service, 'openmetrics')
      wantFieldLike(
        answer,
        'Content-Type',
        openMetricsType,
        'application/openmetrics-text; version=1.0.0; charset=utf-8',
      )
    },
  },
  {
    id: 'scrape.openmetrics.exemplars',
    says: 'An exemplar MUST belong to a bucket or a counter, with labels of at most 128 characters.',
    section: sections.openmetrics,
    async check(service) {
      const { answer, page } = await scrape(service, 'openmetrics')
      for (const { name, exemplar } of [...page.families.values()].flatMap(({ samples }) => samples)) {
        if (exemplar === undefined) continue
        want(answer, /_(bucket|total)$/.test(name), `no exemplar at ${name}`)
        want(
          answer,
          [...exemplar.labels].flat().join('').length <= 128,
          `an exemplar of at most 128 characters at ${name}`,
        )
      }
    },
  },
  {
    id: 'scrape.text.no-timestamps',
    says: 'Samples SHOULD NOT have timestamps: the scraper sets them.',
    section: sections.text,
    async check(service) {
      const { answer, page } = await scrape(service, 'text')
      const [stamped] = [...page.families.values()].flatMap(({ samples }) => samples).filter((one) => one.hasTimestamp)
      want(answer, stamped === undefined, `no timestamp at ${stamped?.name}`)
    },
  },
  {
    id: 'scrape.same-families',
    says: 'Both formats MUST have the same families.',
    section: 'Management endpoints',
    async check(service) {
      const familyNames = ({ families }: Awaited<ReturnType<typeof scrape>>['page']) =>
        [...families.keys()].map((name) => name.replace(/_(total|info)$/, '')).sort()
      const text = familyNames((await scrape(service, 'text')).page)
      const { answer, page } = await scrape(service, 'openmetrics')
      const other = familyNames(page)
      const missing = text.filter((name) => !other.includes(name))
      want(answer, missing.length === 0, `the families ${missing.join(', ')}, as in the text format`)
    },
  },
])

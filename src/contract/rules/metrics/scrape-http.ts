import { type Answer, want, wantFieldLike, wantNoField, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import type { Page } from '../../exposition/page.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { essenceOf } from '../json-resource.ts'
import { metricDetail, metricNames } from './metric-reading.ts'
import { scrape } from './scraping.ts'

const section = 'Management endpoints, scrape'
const negotiation = 'RFC 9110 §12.5.1'

/** The Accept field of Prometheus, in its order of preference. */
const prometheusAccepts =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,' +
  'text/plain;version=0.0.4;q=0.3,*/*;q=0.2'

/** A rule on the format selected by an Accept field. */
function gets(id: string, says: string, accept: string, mediaType: string, shared: boolean): Rule {
  return {
    id: `scrape.accept.${id}`,
    says,
    section: negotiation,
    shared,
    async check(service) {
      const answer = await service.ask('/prometheus', { headers: { Accept: accept } })
      wantStatus(answer, 200)
      want(answer, essenceOf(answer) === mediaType, `Content-Type: ${mediaType}`)
    },
  }
}

/** The maximum of a distribution is a family of its own and is allowed. */
function wantAlone(answer: Answer, { families }: Page, names: readonly string[]): void {
  const isNamed = (family: string) => names.some((name) => family === name || family === `${name}_max`)
  const holds = names.every((name) => families.has(name)) && [...families.keys()].every(isNamed)
  want(answer, holds, `the families ${names.join(', ')} only`)
}

const [text, openMetrics] = ['text/plain', 'application/openmetrics-text']

export const scrapeHttpRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['prometheus'], shared: true }, [
  gets(
    'prometheus',
    'Prometheus, which prefers OpenMetrics, MUST get OpenMetrics.',
    prometheusAccepts,
    openMetrics,
    true,
  ),
  gets('anything', 'A client that accepts anything MUST get the text format.', '*/*', text, true),
  gets(
    'browser',
    'A browser SHOULD get the text format.',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    text,
    true,
  ),
  gets(
    'preference',
    'A client that prefers the text format MUST get it.',
    `${text};version=0.0.4,${openMetrics};version=1.0.0;q=0.5`,
    text,
    false,
  ),
  gets('refusal', 'A client that rejects the text format MUST get OpenMetrics.', `${text};q=0,*/*`, openMetrics, false),
  {
    id: 'scrape.accept.406',
    says: 'A request that accepts neither format MUST be rejected with 406.',
    section: 'Errors, 406',
    check: async (service) => wantStatus(await service.ask('/prometheus', { headers: { Accept: 'image/png' } }), 406),
  },
  {
    id: 'scrape.accept.vary',
    says: 'A scrape MUST vary with Accept.',
    section: 'RFC 9110 §12.5.5',
    shared: false,
    async check(service) {
      wantFieldLike((await scrape(service, 'text')).answer, 'Vary', /\baccept\b(?!-)/i, 'a list with Accept')
    },
  },
  {
    id: 'scrape.not-kept',
    says: 'A scrape MUST NOT be stored.',
    section: 'Conventions for endpoints, headers',
    shared: false,
    async check(service) {
      wantFieldLike((await scrape(service, 'text')).answer, 'Cache-Control', /\bno-store\b/, 'no-store')
    },
  },
  {
    id: 'scrape.coding.none',
    says: 'A scrape MUST NOT be compressed unless requested.',
    section: 'RFC 9110 §12.5.3',
    check: async (service) => wantNoField((await scrape(service, 'text')).answer, 'Content-Encoding'),
  },
  {
    id: 'scrape.coding.gzip',
    says: 'A scrape MAY be compressed with gzip on request; it MUST then be a complete gzip stream.',
    section: 'RFC 9110 §8.4.1',
    async check(service) {
      const answer = await service.ask('/prometheus', { headers: { 'Accept-Encoding': 'gzip' } })
      wantStatus(answer, 200)
      if (answer.fields.get('content-encoding') !== 'gzip') return
      const { gunzipSync } = process.getBuiltinModule('node:zlib')
      const unzipped = (() => {
        try {
          return gunzipSync(answer.bytes).toString()
        } catch {
          return ''
        }
      })()
      want(answer, /^# (HELP|TYPE) /m.test(unzipped), 'a compressed page')
    },
  },
  {
    id: 'scrape.coding.refused',
    says: 'A client that rejects gzip MUST NOT get it.',
    section: 'RFC 9110 §12.5.3',
    async check(service) {
      const answer = await service.ask('/prometheus', { headers: { 'Accept-Encoding': 'gzip;q=0, identity' } })
      wantNoField(answer, 'Content-Encoding')
    },
  },
  {
    id: 'scrape.names.one',
    says: 'Families MUST be selectable by name with name[]=….',
    section,
    shared: false,
    async check(service) {
      const { page } = await scrape(service, 'text')
      const name = [...page.families.keys()][0] ?? skip('there are no families')
      const { answer, page: one } = await scrape(service, 'text', `?name[]=${name}`)
      wantAlone(answer, one, [name])
    },
  },
  {
    id: 'scrape.names.list',
    says: 'Families MUST be selectable by comma-separated names with includedNames=….',
    section: 'Spring Boot Actuator, prometheus',
    shared: false,
    async check(service) {
      const { page } = await scrape(service, 'text')
      const names = [...page.families.keys()].slice(0, 2).sort()
      const { answer, page: some } = await scrape(service, 'text', `?includedNames=${names.join(',')}`)
      wantAlone(answer, some, names)
    },
  },
  {
    id: 'scrape.names.unknown',
    says: 'An unknown family MUST NOT be an error: the page is empty.',
    section: 'Spring Boot Actuator, prometheus',
    shared: false,
    async check(service) {
      const { answer, page } = await scrape(service, 'text', '?name[]=no_such_family')
      want(answer, page.families.size === 0, 'an empty page')
    },
  },
  {
    id: 'scrape.together',
    says: 'Concurrent scrapes MUST each get a complete page.',
    section,
    async check(service) {
      const pages = await Promise.all(
        Array.from({ length: 6 }, (_, turn) => scrape(service, turn % 2 === 0 ? 'text' : 'openmetrics')),
      )
      for (const { answer, page } of pages)
        want(answer, page.faults.length === 0, 'a page without faults', page.faults[0]?.says)
    },
  },
  {
    id: 'scrape.agrees',
    says: 'A scrape and the detail of a metric MUST agree.',
    section: 'Metric detail',
    needs: ['prometheus', 'metrics'],
    async check(service) {
      if (!(await metricNames(service)).includes('process.uptime')) skip('there is no metric process.uptime')
      const before = (await metricDetail(service, 'process.uptime')).values.get('VALUE') ?? 0
      const { answer, page } = await scrape(service, 'text')
      const after = (await metricDetail(service, 'process.uptime')).values.get('VALUE') ?? 0
      const [sample] = page.families.get('process_uptime_seconds')?.samples ?? []
      want(answer, sample !== undefined, 'a series process_uptime_seconds')
      want(answer, sample.value >= before && sample.value <= after, `process_uptime_seconds from ${before} to ${after}`)
    },
  },
  {
    id: 'scrape.below-404',
    says: 'A path below the scrape MUST be answered with 404.',
    section: 'Errors, 404',
    check: async (service) => wantStatus(await service.ask('/prometheus/all'), 404),
  },
])

import { type Answer, fieldOf, listOf, want, wantField, wantFieldLike, wantNoField, wantStatus } from '../answer.ts'
import type { Need, Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { skip } from '../skip.ts'

const section = 'RFC 9110 §13.1.2'
const needs: readonly Need[] = ['info']
const path = '/info'
const spring = 'application/vnd.spring-boot.actuator.v3+json'

async function tagged(
  service: Service,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: Answer; readonly tag: string }> {
  const answer = await service.ask(path, { headers })
  wantStatus(answer, 200)
  if (/no-store/.test(fieldOf(answer, 'Cache-Control'))) skip('info changes by itself, and may not be kept')
  wantFieldLike(answer, 'ETag', /^"[\x21\x23-\x7e\x80-\xff]*"$/, 'a strong entity tag')
  return { answer, tag: fieldOf(answer, 'ETag') }
}

/** A rule on what a condition with the current tag is answered with. */
function answers(
  id: string,
  says: string,
  status: number,
  conditions: (tag: string) => Readonly<Record<string, string>>,
  from = section,
): Rule {
  return {
    id: `conventions.etag.${id}`,
    says,
    section: from,
    needs,
    async check(service) {
      const { tag } = await tagged(service)
      wantStatus(await service.ask(path, { headers: conditions(tag) }), status)
    },
  }
}

const match = 'RFC 9110 §13.1.1'
const order = 'RFC 9110 §13.2.2'
const future = 'Fri, 31 Dec 2100 23:59:59 GMT'

export const entityTagRules: readonly Rule[] = [
  {
    id: 'conventions.etag.form',
    says: 'What may be kept MUST have a strong entity tag.',
    section: 'Conventions for endpoints, headers',
    needs,
    check: async (service) => void (await tagged(service)),
  },
  {
    id: 'conventions.etag.stable',
    says: 'The entity tag of the same content MUST be the same.',
    section: 'RFC 9110 §8.8.1',
    needs,
    async check(service) {
      const first = await tagged(service)
      const second = await tagged(service)
      const same = first.answer.text === second.answer.text
      want(second.answer, !same || first.tag === second.tag, `ETag: ${first.tag}, as before`)
    },
  },
  answers('304', 'Who has the current version MUST be answered with 304.', 304, (tag) => ({ 'If-None-Match': tag })),
  answers('304-weak', 'If-None-Match MUST be compared weakly.', 304, (tag) => ({ 'If-None-Match': `W/${tag}` })),
  answers('304-list', 'Each tag of a list MUST count.', 304, (tag) => ({
    'If-None-Match': `"other", W/"an,other", ${tag}`,
  })),
  answers('304-any', 'If-None-Match: * MUST be answered with 304 where there is something.', 304, () => ({
    'If-None-Match': '*',
  })),
  answers('200', 'Who has another version MUST get the current one.', 200, () => ({ 'If-None-Match': '"other"' })),
  answers('200-part', 'A tag that only begins like the current one MUST be another one.', 200, (tag) => ({
    'If-None-Match': `${tag.slice(0, -1)}x"`,
  })),
  answers(
    '412',
    'A demand for another version MUST be answered with 412.',
    412,
    () => ({ 'If-Match': '"other"' }),
    match,
  ),
  answers('412-weak', 'If-Match MUST be compared strongly.', 412, (tag) => ({ 'If-Match': `W/${tag}` }), match),
  answers('if-match', 'A demand for the current version MUST be met.', 200, (tag) => ({ 'If-Match': tag }), match),
  answers('if-match-any', 'If-Match: * MUST be met where there is something.', 200, () => ({ 'If-Match': '*' }), match),
  answers(
    'before-date',
    'If-None-Match MUST count before If-Modified-Since.',
    200,
    () => ({ 'If-None-Match': '"other"', 'If-Modified-Since': future }),
    order,
  ),
  answers(
    '412-first',
    'If-Match MUST be looked at before If-None-Match.',
    412,
    (tag) => ({ 'If-Match': '"other"', 'If-None-Match': tag }),
    order,
  ),
  answers(
    'bad-date',
    'A date that is none MUST be passed over.',
    200,
    () => ({ 'If-Modified-Since': 'yesterday' }),
    'RFC 9110 §13.1.3',
  ),
  {
    id: 'conventions.etag.304-no-content',
    says: 'A 304 MUST have no content.',
    section: 'Errors, 304',
    needs,
    async check(service) {
      const { tag } = await tagged(service)
      const answer = await service.ask(path, { headers: { 'If-None-Match': tag } })
      wantStatus(answer, 304)
      want(answer, answer.surplus === 0, 'nothing behind the header')
    },
  },
  {
    id: 'conventions.etag.304-fields',
    says: 'A 304 MUST have the entity tag, Cache-Control and Vary of the 200, Accept-Encoding in Vary apart.',
    section: 'RFC 9110 §15.4.5',
    needs,
    async check(service) {
      const { answer: full, tag } = await tagged(service)
      const answer = await service.ask(path, { headers: { 'If-None-Match': tag } })
      wantStatus(answer, 304)
      for (const name of ['ETag', 'Cache-Control']) {
        if (full.fields.has(name.toLowerCase())) wantField(answer, name, fieldOf(full, name))
      }
      // Middleware that compresses adds Accept-Encoding to what it may compress, and a 304 has nothing to compress.
      const varying = listOf(full, 'Vary').filter((member) => member.toLowerCase() !== 'accept-encoding')
      const missing = varying.filter((member) => !listOf(answer, 'Vary').includes(member))
      want(answer, missing.length === 0, `Vary: ${varying.join(', ')}`)
    },
  },
  {
    id: 'conventions.etag.304-length',
    says: 'A 304 MUST NOT tell a Content-Length other than that of the content.',
    section: 'RFC 9110 §8.6',
    needs,
    async check(service) {
      const { answer: full, tag } = await tagged(service)
      const answer = await service.ask(path, { headers: { 'If-None-Match': tag } })
      const length = answer.fields.get('content-length')
      want(
        answer,
        length === undefined || length === String(full.bytes.length),
        `no Content-Length, or ${full.bytes.length}`,
      )
    },
  },
  {
    id: 'conventions.etag.304-head',
    says: 'HEAD MUST answer a condition as GET does.',
    section: 'RFC 9110 §13.2.1',
    needs,
    async check(service) {
      const { tag } = await tagged(service)
      wantStatus(await service.ask(path, { method: 'HEAD', headers: { 'If-None-Match': tag } }), 304)
    },
  },
  {
    id: 'conventions.etag.by-media-type',
    says: 'Two media types MUST have two entity tags.',
    section: 'RFC 9110 §8.8.3.3',
    needs,
    async check(service) {
      const { tag } = await tagged(service)
      const { answer, tag: other } = await tagged(service, { Accept: spring })
      want(answer, other !== tag, 'another ETag than that of application/json')
    },
  },
  {
    id: 'conventions.etag.by-fields',
    says: 'A part MUST have another entity tag than the whole.',
    section: 'Conventions for endpoints, partial response',
    needs,
    async check(service) {
      const { answer: full, tag } = await tagged(service)
      const answer = await service.ask(`${path}?fields=no-such-field`)
      want(answer, answer.text === full.text || fieldOf(answer, 'ETag') !== tag, `another ETag than ${tag}`)
    },
  },
  {
    id: 'conventions.etag.none-without-keeping',
    says: 'An answer that nobody may keep MUST NOT be answered with 304.',
    section: 'RFC 9111 §5.2.2.5',
    needs: ['health'],
    shared: true,
    async check(service) {
      const answer = await service.ask('/health', { headers: { 'If-None-Match': '*' } })
      want(answer, answer.status !== 304, 'a status other than 304')
      if (/no-store/.test(fieldOf(answer, 'Cache-Control'))) wantNoField(answer, 'ETag')
    },
  },
]

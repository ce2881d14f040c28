import { type Answer, fieldOf, listOf, want, wantField, wantFieldLike, wantNoField, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'

const section = 'RFC 9110 §13.1.2'
const path = '/info'
const spring = 'application/vnd.spring-boot.actuator.v3+json'

async function tagged(
  service: Service,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: Answer; readonly tag: string }> {
  const answer = await service.ask(path, { headers })
  wantStatus(answer, 200)
  if (/no-store/.test(fieldOf(answer, 'Cache-Control'))) skip('info changes between requests, and must not be cached')
  wantFieldLike(answer, 'ETag', /^"[\x21\x23-\x7e\x80-\xff]*"$/, 'a strong entity tag')
  return { answer, tag: fieldOf(answer, 'ETag') }
}

/** A rule on the response to a condition with the current entity tag. */
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
    async check(service) {
      const { tag } = await tagged(service)
      wantStatus(await service.ask(path, { headers: conditions(tag) }), status)
    },
  }
}

const match = 'RFC 9110 §13.1.1'
const order = 'RFC 9110 §13.2.2'
const future = 'Fri, 31 Dec 2100 23:59:59 GMT'

export const entityTagRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['info'] }, [
  {
    id: 'conventions.etag.form',
    says: 'A cacheable response MUST have a strong entity tag.',
    section: 'Conventions for endpoints, headers',
    check: async (service) => void (await tagged(service)),
  },
  {
    id: 'conventions.etag.stable',
    says: 'Equal content MUST have equal entity tags.',
    section: 'RFC 9110 §8.8.1',
    async check(service) {
      const first = await tagged(service)
      const second = await tagged(service)
      const same = first.answer.text === second.answer.text
      want(second.answer, !same || first.tag === second.tag, `ETag: ${first.tag}, as before`)
    },
  },
  answers('304', 'A current copy MUST be confirmed with 304.', 304, (tag) => ({ 'If-None-Match': tag })),
  answers('304-weak', 'If-None-Match MUST be compared weakly.', 304, (tag) => ({ 'If-None-Match': `W/${tag}` })),
  answers('304-list', 'All tags of a list MUST be compared.', 304, (tag) => ({
    'If-None-Match': `"other", W/"an,other", ${tag}`,
  })),
  answers('304-any', 'If-None-Match: * MUST be answered with 304 for an existing resource.', 304, () => ({
    'If-None-Match': '*',
  })),
  answers('200', 'An outdated copy MUST be replaced by the current one.', 200, () => ({ 'If-None-Match': '"other"' })),
  answers('200-part', 'A tag that only starts like the current one MUST NOT match.', 200, (tag) => ({
    'If-None-Match': `${tag.slice(0, -1)}x"`,
  })),
  answers(
    '412',
    'A condition on another version MUST be rejected with 412.',
    412,
    () => ({ 'If-Match': '"other"' }),
    match,
  ),
  answers('412-weak', 'If-Match MUST be compared strongly.', 412, (tag) => ({ 'If-Match': `W/${tag}` }), match),
  answers('if-match', 'A condition on the current version MUST be met.', 200, (tag) => ({ 'If-Match': tag }), match),
  answers('if-match-any', 'If-Match: * MUST be met for an existing resource.', 200, () => ({ 'If-Match': '*' }), match),
  answers(
    'before-date',
    'If-None-Match MUST take precedence over If-Modified-Since.',
    200,
    () => ({ 'If-None-Match': '"other"', 'If-Modified-Since': future }),
    order,
  ),
  answers(
    '412-first',
    'If-Match MUST be evaluated before If-None-Match.',
    412,
    (tag) => ({ 'If-Match': '"other"', 'If-None-Match': tag }),
    order,
  ),
  answers(
    'bad-date',
    'An invalid date MUST be ignored.',
    200,
    () => ({ 'If-Modified-Since': 'yesterday' }),
    'RFC 9110 §13.1.3',
  ),
  {
    id: 'conventions.etag.304-no-content',
    says: 'A 304 MUST have no content.',
    section: 'Errors, 304',
    async check(service) {
      const { tag } = await tagged(service)
      const answer = await service.ask(path, { headers: { 'If-None-Match': tag } })
      wantStatus(answer, 304)
      want(answer, answer.surplus === 0, 'no bytes after the header section')
    },
  },
  {
    id: 'conventions.etag.304-fields',
    says: 'A 304 MUST have the entity tag, Cache-Control and Vary of the 200, except for Accept-Encoding in Vary.',
    section: 'RFC 9110 §15.4.5',
    async check(service) {
      const { answer: full, tag } = await tagged(service)
      const answer = await service.ask(path, { headers: { 'If-None-Match': tag } })
      wantStatus(answer, 304)
      for (const name of ['ETag', 'Cache-Control']) {
        if (full.fields.has(name.toLowerCase())) wantField(answer, name, fieldOf(full, name))
      }
      // Compressing middleware adds Accept-Encoding to compressible responses, and a 304 has nothing to compress.
      const varying = listOf(full, 'Vary').filter((member) => member.toLowerCase() !== 'accept-encoding')
      const missing = varying.filter((member) => !listOf(answer, 'Vary').includes(member))
      want(answer, missing.length === 0, `Vary: ${varying.join(', ')}`)
    },
  },
  {
    id: 'conventions.etag.304-length',
    says: 'A 304 MUST NOT have a Content-Length other than that of the 200.',
    section: 'RFC 9110 §8.6',
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
    says: 'HEAD MUST evaluate conditions like GET.',
    section: 'RFC 9110 §13.2.1',
    async check(service) {
      const { tag } = await tagged(service)
      wantStatus(await service.ask(path, { method: 'HEAD', headers: { 'If-None-Match': tag } }), 304)
    },
  },
  {
    id: 'conventions.etag.by-media-type',
    says: 'Different media types MUST have different entity tags.',
    section: 'RFC 9110 §8.8.3.3',
    async check(service) {
      const { tag } = await tagged(service)
      const { answer, tag: other } = await tagged(service, { Accept: spring })
      want(answer, other !== tag, 'another ETag than that of application/json')
    },
  },
  {
    id: 'conventions.etag.by-fields',
    says: 'A partial response MUST have another entity tag than the whole.',
    section: 'Conventions for endpoints, partial response',
    async check(service) {
      const { answer: full, tag } = await tagged(service)
      const answer = await service.ask(`${path}?fields=no-such-field`)
      want(answer, answer.text === full.text || fieldOf(answer, 'ETag') !== tag, `another ETag than ${tag}`)
    },
  },
  {
    id: 'conventions.etag.none-without-keeping',
    says: 'A response that must not be stored MUST NOT be answered with 304.',
    section: 'RFC 9111 §5.2.2.5',
    needs: ['health'],
    shared: true,
    async check(service) {
      const answer = await service.ask('/health', { headers: { 'If-None-Match': '*' } })
      want(answer, answer.status !== 304, 'a status other than 304')
      if (/no-store/.test(fieldOf(answer, 'Cache-Control'))) wantNoField(answer, 'ETag')
    },
  },
])

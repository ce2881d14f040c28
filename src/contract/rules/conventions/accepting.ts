import { want, wantClientError, wantFieldLike, wantStatus } from '../../answer.ts'
import type { Rule } from '../../rule.ts'
import { essenceOf, jsonResource, wantJson } from '../json-resource.ts'

const negotiation = 'RFC 9110 §12.5.1'
const selection = 'Conventions for endpoints, media type selection'
const spring = 'application/vnd.spring-boot.actuator.v3+json'

/** A rule on the media type selected by an Accept field. */
function gets(id: string, says: string, accept: string, mediaType: string | undefined, shared = false): Rule {
  return {
    id: `conventions.accept.${id}`,
    says,
    section: negotiation,
    shared,
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { headers: { Accept: accept } })
      wantStatus(answer, 200)
      if (mediaType === undefined) wantJson(answer, service)
      else want(answer, essenceOf(answer) === mediaType, `Content-Type: ${mediaType}`)
    },
  }
}

export const acceptRules: readonly Rule[] = [
  gets('json', 'JSON MUST be sent if application/json is accepted.', 'application/json', 'application/json', true),
  gets('anything', 'A client that accepts anything MUST get a response.', '*/*', undefined, true),
  gets('any-application', 'A range such as application/* MUST be matched.', 'application/*', undefined),
  gets('case', 'Media types MUST be matched case-insensitively.', 'APPLICATION/JSON', 'application/json', true),
  gets(
    'charset',
    'JSON in UTF-8 MUST be sent if it is accepted.',
    'application/json; charset=utf-8',
    'application/json',
  ),
  gets('spring', 'The media type of Spring Boot’s consoles SHOULD be sent if it is accepted.', spring, spring, true),
  gets(
    'quality',
    'Of two media types, the one with the higher quality MUST be sent.',
    `application/json;q=0.3, ${spring};q=0.9`,
    spring,
  ),
  gets('specific', 'A media type MUST take precedence over a range.', `*/*;q=0.9, application/json;q=0.1`, spring),
  gets('refusal', 'A media type with quality 0 MUST NOT be sent.', 'application/json;q=0, */*', spring),
  {
    id: 'conventions.accept.missing',
    says: 'A request without Accept MUST get a response.',
    section: negotiation,
    shared: true,
    async check(service) {
      const answer = await service.ask(await jsonResource(service))
      wantStatus(answer, 200)
      wantJson(answer, service)
    },
  },
  {
    id: 'conventions.accept.406',
    says: 'A request that accepts none of the available media types MUST be rejected with 406.',
    section: 'Errors, 406',
    shared: true,
    async check(service) {
      wantStatus(await service.ask(await jsonResource(service), { headers: { Accept: 'image/png' } }), 406)
    },
  },
  {
    id: 'conventions.accept.406-all-refused',
    says: 'A request that accepts nothing MUST be rejected with 406.',
    section: 'Errors, 406',
    async check(service) {
      wantStatus(await service.ask(await jsonResource(service), { headers: { Accept: '*/*;q=0' } }), 406)
    },
  },
  {
    id: 'conventions.accept.406-says-what',
    says: 'A 406 SHOULD list the available media types.',
    section: 'RFC 9110 §15.5.7',
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { headers: { Accept: 'image/png' } })
      want(answer, answer.text.includes('application/json'), 'content that names application/json')
    },
  },
  {
    id: 'conventions.accept.vary',
    says: 'A response with several media types MUST vary with Accept.',
    section: 'RFC 9110 §12.5.5',
    async check(service) {
      wantFieldLike(await service.ask(await jsonResource(service)), 'Vary', /\baccept\b(?!-)/i, 'a list with Accept')
    },
  },
  {
    id: 'conventions.accept.malformed',
    says: 'A malformed Accept MUST NOT cause a server error.',
    section: 'Errors, 500',
    shared: true,
    async check(service) {
      for (const Accept of [';;q=,"', 'a/b/c', '*', 'application/json;q=x', ',,,']) {
        const answer = await service.ask(await jsonResource(service), { headers: { Accept } })
        if (answer.status !== 200) wantClientError(answer)
      }
    },
  },
  {
    id: 'conventions.accept.parameter',
    says: 'The query parameter accept MAY replace the field, and then takes precedence.',
    section: selection,
    async check(service) {
      const path = await jsonResource(service)
      const answer = await service.ask(`${path}?accept=${spring}`, { headers: { Accept: 'image/png' } })
      wantStatus(answer, 200)
      want(answer, essenceOf(answer) === spring, `Content-Type: ${spring}`)
    },
  },
  {
    id: 'conventions.accept.parameter-406',
    says: 'A query parameter accept that matches nothing MUST be rejected with 406.',
    section: selection,
    check: async (service) => wantStatus(await service.ask(`${await jsonResource(service)}?accept=image/png`), 406),
  },
]

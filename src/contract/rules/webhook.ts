import { type Answer, fieldOf, listOf, want, wantClientError, wantField, wantFieldLike, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { type Rule, rulesWith } from '../rule.ts'
import type { Service } from '../service.ts'

const section = 'Incoming webhook'
const json = { 'Content-Type': 'application/json' }

function post(
  service: Service,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = json,
): Promise<Answer> {
  return service.askApplication(service.settings.hook ?? '/', { method: 'POST', headers, content, stranger: true })
}

function wantOk(answer: Answer): void {
  wantStatus(answer, 200)
  want(answer, answer.text === 'ok', 'the content ok')
}

/** A rule that a message is accepted. */
const takes = (id: string, says: string, content: string, headers = json): Rule => ({
  id: `webhook.takes.${id}`,
  says,
  section: 'Webhook message',
  check: async (service) => wantOk(await post(service, content, headers)),
})

/** A rule that a body is rejected. */
const refuses = (id: string, says: string, content: string | Uint8Array, ...statuses: readonly number[]): Rule => ({
  id: `webhook.refuses.${id}`,
  says,
  section: 'Errors',
  check: async (service) => wantStatus(await post(service, content), ...statuses),
})

/** A rule on a header field of the acknowledgement. */
const field = (name: string, says: string, pattern: RegExp, wanted: string): Rule => ({
  id: `webhook.ok.${name.toLowerCase()}`,
  says,
  section,
  check: async (service) => wantFieldLike(await post(service, '{"text":"contract"}'), name, pattern, wanted),
})

export const webhookRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['hook'] }, [
  {
    id: 'webhook.ok.body',
    says: 'A message MUST be acknowledged with 200 and the two characters ok.',
    section: 'Webhook acknowledgement',
    check: async (service) => wantOk(await post(service, '{"text":"contract"}')),
  },
  field('Content-Type', 'The acknowledgement MUST be text/plain.', /^text\/plain(;|$)/, 'text/plain'),
  field('Content-Length', 'The Content-Length of the acknowledgement MUST be 2.', /^2$/, '2'),
  field('X-Request-Id', 'The acknowledgement MUST have an X-Request-Id.', /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  field('X-Version-Id', 'The acknowledgement MUST have an X-Version-Id.', /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  field('Date', 'The acknowledgement MUST have a Date.', /GMT$/, 'an HTTP date'),
  {
    id: 'webhook.ok.own-request-id',
    says: 'Each request MUST have its own request id.',
    section,
    async check(service) {
      const first = await post(service, '{"text":"contract"}')
      const second = await post(service, '{"text":"contract"}')
      want(
        second,
        fieldOf(first, 'X-Request-Id') !== fieldOf(second, 'X-Request-Id'),
        'another X-Request-Id than before',
      )
    },
  },
  {
    id: 'webhook.ok.same-version',
    says: 'Every response of a server MUST have the same version.',
    section: 'Versioning',
    async check(service) {
      const first = await post(service, '{"text":"contract"}')
      wantField(await post(service, 'nonsense'), 'X-Version-Id', fieldOf(first, 'X-Version-Id'))
    },
  },
  takes('newlines', 'Line breaks in a text MUST be accepted.', '{"text":"one\\ntwo\\r\\nthree"}'),
  takes('emoji', 'Emoji in a text MUST be accepted.', '{"text":"☂ 🦊 👩‍🚀"}'),
  takes('charset', 'A body with charset=utf-8 MUST be accepted.', '{"text":"é"}', {
    'Content-Type': 'application/json; charset=utf-8',
  }),
  takes(
    'others',
    'Members other than text SHOULD be ignored.',
    '{"text":"contract","username":"bot","attachments":[]}',
  ),
  refuses('no-json', 'A body that is not JSON MUST be rejected with 400.', '{"text":', 400),
  refuses('empty', 'An empty body MUST be rejected with 400.', '', 400),
  refuses('no-object', 'A body that is not an object MUST be rejected with 400 or 422.', '["text"]', 400, 422),
  refuses('no-text', 'A body without text MUST be rejected with 400 or 422.', '{"message":"hello"}', 400, 422),
  refuses('text-number', 'A text that is not a string MUST be rejected with 400 or 422.', '{"text":7}', 400, 422),
  refuses(
    'no-utf-8',
    'A body that is not UTF-8 MUST be rejected with 400.',
    Uint8Array.from(Buffer.from('{"text":"\xff\xfe"}', 'latin1')),
    400,
  ),
  {
    id: 'webhook.refuses.media-type',
    says: 'A body of another media type MUST be rejected with 415.',
    section: 'Errors, 415',
    async check(service) {
      wantStatus(await post(service, '<text>contract</text>', { 'Content-Type': 'application/xml' }), 415)
    },
  },
  {
    id: 'webhook.refuses.unknown-key',
    says: 'An unknown key MUST be rejected with 404, 401 or 403, and never get ok.',
    section: 'Authentication',
    async check(service) {
      const hook =
        service.settings.hook?.replace(/[^/]+$/, (key) => [...key].reverse().join('').replace(/./, 'x')) ?? '/'
      const answer = await service.askApplication(hook, {
        method: 'POST',
        headers: json,
        content: '{"text":"contract"}',
      })
      wantStatus(answer, 401, 403, 404)
    },
  },
  {
    id: 'webhook.refuses.get',
    says: 'A hook MUST respond to GET with 405, and list POST in Allow.',
    section: 'Errors, 405',
    async check(service) {
      const answer = await service.askApplication(service.settings.hook ?? '/')
      wantStatus(answer, 405)
      want(answer, listOf(answer, 'Allow').includes('POST'), 'Allow with POST')
    },
  },
  {
    id: 'webhook.refuses.document',
    says: 'A rejected message MUST get a problem document.',
    section: 'Errors, rules',
    async check(service) {
      const answer = await post(service, '{"text":7}')
      wantClientError(answer)
      want(answer, objectOf(answer)['status'] === answer.status, `a JSON object with "status":${answer.status}`)
    },
  },
  {
    id: 'webhook.refuses.no-failure',
    says: 'A body MUST NOT cause a server error.',
    section: 'Errors, 500',
    async check(service) {
      for (const body of ['null', '[[[[[[', '"', '{"__proto__":{"text":"x"}}', `{"text":${'['.repeat(2000)}`]) {
        wantClientError(await post(service, body))
      }
    },
  },
])

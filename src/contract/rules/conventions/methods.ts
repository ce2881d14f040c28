import { fieldOf, listOf, want, wantField, wantStatus } from '../../answer.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import { jsonResource, keptResource } from '../json-resource.ts'

const refused = 'Errors, 405'

const attempts = 5

/** Another method that no resource supports. */
const refusing = ['PUT', 'PATCH', 'DELETE'].map(
  (method): Rule => ({
    id: `conventions.405.${method.toLowerCase()}`,
    says: `${method} of a read-only resource MUST be rejected with 405 and Allow, and change nothing.`,
    section: refused,
    async check(service) {
      const path = await jsonResource(service)
      const before = await service.ask(path)
      const answer = await service.ask(path, { method, headers: { 'Content-Type': 'application/json' }, content: '{}' })
      wantStatus(answer, 405)
      want(answer, listOf(answer, 'Allow').includes('GET'), 'Allow with GET')
      wantStatus(await service.ask(path), before.status)
    },
  }),
)

export const methodRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ shared: true }, [
  ...refusing,
  {
    id: 'conventions.head.length',
    says: 'HEAD MUST NOT have another Content-Length than GET.',
    section: 'RFC 9110 §8.6',
    async check(service) {
      const path = await jsonResource(service)
      // A document may change between two requests; a faulty HEAD is faulty every time.
      for (let attempt = 1; ; attempt++) {
        const [get, answer] = [await service.ask(path), await service.ask(path, { method: 'HEAD' })]
        const length = answer.fields.get('content-length')
        // The framework of a Spring Boot Actuator may omit it.
        const mayLack = service.settings.profile.name === 'spring' && length === undefined
        if (mayLack || length === String(get.bytes.length)) return
        want(answer, attempt < attempts, `Content-Length: ${get.bytes.length}`)
      }
    },
  },
  {
    id: 'conventions.head.error',
    says: 'HEAD of an unknown path MUST be 404 without content.',
    section: 'Errors, rules',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { method: 'HEAD' })
      wantStatus(answer, 404)
      want(answer, answer.surplus === 0, 'no bytes after the header section')
    },
  },
  {
    id: 'conventions.options.no-content',
    says: 'A 204 MUST have neither content nor Content-Length.',
    section: 'RFC 9110 §8.6, §15.3.5',
    shared: false,
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { method: 'OPTIONS' })
      if (answer.status !== 204) return
      want(answer, answer.surplus === 0, 'no bytes after the header section')
      want(answer, !answer.fields.has('content-length'), 'no Content-Length')
    },
  },
  {
    id: 'conventions.405.allow-agrees',
    says: 'Allow MUST be the same in a 405 and in the response to OPTIONS.',
    section: 'RFC 9110 §10.2.1',
    shared: false,
    async check(service) {
      const path = await jsonResource(service)
      const answer = await service.ask(path, { method: 'DELETE' })
      wantField(answer, 'Allow', fieldOf(await service.ask(path, { method: 'OPTIONS' }), 'Allow'))
    },
  },
  {
    id: 'conventions.405.unknown-method',
    says: 'An unknown method MUST be rejected with 405 or 501.',
    section: 'RFC 9110 §9.1',
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { method: 'PROPFIND' })
      // HTTP parsers that do not know the method respond with 400.
      wantStatus(answer, 405, 501, 400)
    },
  },
  {
    id: 'conventions.405.trace',
    says: 'TRACE MUST NOT echo the request, whose fields contain secrets.',
    section: 'RFC 9110 §9.3.8',
    async check(service) {
      const answer = await service.ask(await jsonResource(service), {
        method: 'TRACE',
        headers: { 'X-Secret': 'contract-secret' },
      })
      want(answer, answer.status >= 400, 'a status of 400 or above')
      want(answer, !answer.text.includes('contract-secret'), 'content without the fields of the request')
    },
  },
  {
    id: 'conventions.get.override-field',
    says: 'A custom field MUST NOT change the meaning of a method.',
    section: 'Conventions for endpoints, custom headers',
    async check(service) {
      const path = await keptResource(service)
      for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
        wantStatus(await service.ask(path, { headers: { [name]: 'DELETE' } }), 200)
      }
    },
  },
  {
    id: 'conventions.get.no-tunnel',
    says: 'GET MUST NOT be used to tunnel other methods.',
    section: 'Conventions for endpoints, GET',
    async check(service) {
      wantStatus(await service.ask(`${await keptResource(service)}?_method=DELETE&method=delete`), 200)
    },
  },
  {
    id: 'conventions.get.content',
    says: 'Content in a GET MUST NOT change the response.',
    section: 'Conventions for endpoints, GET',
    shared: false,
    async check(service) {
      const path = await keptResource(service)
      const answer = await service.ask(path, {
        headers: { 'Content-Type': 'application/json' },
        content: '{"status":"DOWN"}',
      })
      wantStatus(answer, 200)
    },
  },
  {
    id: 'conventions.get.connection',
    says: 'Pipelined requests MUST be answered in order, each completely.',
    section: 'RFC 9112 §9.3',
    async check(service) {
      const path = await jsonResource(service)
      const answers = await service.askTogether([path, '/no-such-endpoint', path])
      for (const [at, status] of [200, 404, 200].entries()) {
        const answer = answers[at]
        if (answer !== undefined) wantStatus(answer, status)
      }
    },
  },
])

import { fieldOf, listOf, want, wantField, wantStatus } from '../answer.ts'
import type { Rule } from '../rule.ts'
import { jsonResource, keptResource } from './subjects.ts'

const refused = 'Errors, 405'

const attempts = 5

/** Another method that no resource here has. */
const refusing = ['PUT', 'PATCH', 'DELETE'].map(
  (method): Rule => ({
    id: `conventions.405.${method.toLowerCase()}`,
    says: `${method} of what can only be read MUST be answered with 405 and Allow, and change nothing.`,
    section: refused,
    shared: true,
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

export const methodRules: readonly Rule[] = [
  ...refusing,
  {
    id: 'conventions.head.length',
    says: 'HEAD MUST NOT tell another Content-Length than GET.',
    section: 'RFC 9110 §8.6',
    shared: true,
    async check(service) {
      const path = await jsonResource(service)
      // A document may change between two requests; a HEAD that is wrong is wrong each time.
      for (let attempt = 1; ; attempt++) {
        const [get, answer] = [await service.ask(path), await service.ask(path, { method: 'HEAD' })]
        const length = answer.fields.get('content-length')
        // The framework of a Spring Boot Actuator may leave it out.
        const mayLack = service.settings.profile.name === 'spring' && length === undefined
        if (mayLack || length === String(get.bytes.length)) return
        want(answer, attempt < attempts, `Content-Length: ${get.bytes.length}`)
      }
    },
  },
  {
    id: 'conventions.head.error',
    says: 'HEAD of what is not there MUST be 404 without content.',
    section: 'Errors, rules',
    shared: true,
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { method: 'HEAD' })
      wantStatus(answer, 404)
      want(answer, answer.surplus === 0, 'nothing behind the header')
    },
  },
  {
    id: 'conventions.options.no-content',
    says: 'A 204 MUST have neither content nor Content-Length.',
    section: 'RFC 9110 §8.6, §15.3.5',
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { method: 'OPTIONS' })
      if (answer.status !== 204) return
      want(answer, answer.surplus === 0, 'nothing behind the header')
      want(answer, !answer.fields.has('content-length'), 'no Content-Length')
    },
  },
  {
    id: 'conventions.405.allow-agrees',
    says: 'Allow MUST be the same in a 405 and in the answer to OPTIONS.',
    section: 'RFC 9110 §10.2.1',
    async check(service) {
      const path = await jsonResource(service)
      const answer = await service.ask(path, { method: 'DELETE' })
      wantField(answer, 'Allow', fieldOf(await service.ask(path, { method: 'OPTIONS' }), 'Allow'))
    },
  },
  {
    id: 'conventions.405.unknown-method',
    says: 'A method that nobody defined MUST be answered with 405 or 501.',
    section: 'RFC 9110 §9.1',
    shared: true,
    async check(service) {
      const answer = await service.ask(await jsonResource(service), { method: 'PROPFIND' })
      // 400 is what an HTTP parser says that does not know the word.
      wantStatus(answer, 405, 501, 400)
    },
  },
  {
    id: 'conventions.405.trace',
    says: 'TRACE MUST NOT send a request back, whose fields hold secrets.',
    section: 'RFC 9110 §9.3.8',
    shared: true,
    async check(service) {
      const answer = await service.ask(await jsonResource(service), {
        method: 'TRACE',
        headers: { 'X-Secret': 'contract-secret' },
      })
      want(answer, answer.status >= 400, 'a status from 400 on')
      want(answer, !answer.text.includes('contract-secret'), 'content without the fields of the request')
    },
  },
  {
    id: 'conventions.get.override-field',
    says: 'A custom field MUST NOT change what a method does.',
    section: 'Conventions for endpoints, custom headers',
    shared: true,
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
    shared: true,
    async check(service) {
      wantStatus(await service.ask(`${await keptResource(service)}?_method=DELETE&method=delete`), 200)
    },
  },
  {
    id: 'conventions.get.content',
    says: 'Content in a GET MUST NOT change the answer.',
    section: 'Conventions for endpoints, GET',
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
    says: 'Requests on one connection MUST be answered one after the other, each whole.',
    section: 'RFC 9112 §9.3',
    shared: true,
    async check(service) {
      const path = await jsonResource(service)
      const answers = await service.askTogether([path, '/no-such-endpoint', path])
      for (const [at, status] of [200, 404, 200].entries()) {
        const answer = answers[at]
        if (answer !== undefined) wantStatus(answer, status)
      }
    },
  },
]

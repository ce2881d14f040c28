import { type Answer, listOf, want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import type { Rule } from '../../rule.ts'
import { knownEndpoints } from '../../service.ts'

const head = 'RFC 9110 §9.3.2'
const options = 'RFC 9110 §9.3.7'
const refused = 'Errors, 405'

/** Fields that may differ between two responses: time stamps, and framing, which belongs to content. */
const passing = [
  'date',
  'expires',
  'age',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'x-request-id',
]

function wantSameFields(answer: Answer, get: Answer, volatile: readonly string[]): void {
  for (const name of new Set([...get.fields.keys(), ...answer.fields.keys()])) {
    if (passing.includes(name)) continue
    const [own, other] = [answer.fields.get(name), get.fields.get(name)]
    const isSame = volatile.includes(name) ? (own === undefined) === (other === undefined) : own === other
    want(answer, isSame, other === undefined ? `no field ${name}, like GET` : `${name}: ${other}, like GET`)
  }
}

/** Returns the rules about the methods of one endpoint. */
export const endpointMethodRules = (endpoint: string): readonly Rule[] => [
  {
    id: `conventions.head.${endpoint}-fields`,
    says: `HEAD of ${endpoint} MUST have the status and the fields of GET.`,
    section: head,
    endpoint,
    async check(service) {
      const get = await service.ask(`/${endpoint}`)
      const answer = await service.ask(`/${endpoint}`, { method: 'HEAD' })
      wantStatus(answer, get.status)
      // Meters are added between requests, and with them the entity tag changes.
      wantSameFields(answer, get, endpoint === 'metrics' ? ['etag'] : [])
    },
  },
  {
    id: `conventions.head.${endpoint}-no-content`,
    says: `HEAD of ${endpoint} MUST have no content.`,
    section: head,
    endpoint,
    shared: true,
    async check(service) {
      const answer = await service.ask(`/${endpoint}`, { method: 'HEAD' })
      want(answer, answer.surplus === 0, 'no bytes after the header section')
    },
  },
  {
    id: `conventions.options.${endpoint}`,
    says: `OPTIONS of ${endpoint} MUST respond with 2xx and Allow, including GET, HEAD and OPTIONS.`,
    section: options,
    endpoint,
    async check(service) {
      const answer = await service.ask(`/${endpoint}`, { method: 'OPTIONS' })
      wantStatus(answer, 200, 204)
      const allowed = listOf(answer, 'Allow')
      for (const method of ['GET', 'HEAD', 'OPTIONS']) want(answer, allowed.includes(method), `Allow with ${method}`)
    },
  },
  {
    id: `conventions.405.${endpoint}`,
    says: `POST to the read-only ${endpoint} MUST be rejected with 405 and Allow.`,
    section: refused,
    endpoint,
    shared: true,
    async check(service) {
      if (!knownEndpoints.includes(endpoint)) {
        const options = await service.ask(`/${endpoint}`, { method: 'OPTIONS' })
        if (listOf(options, 'Allow').includes('POST')) skip(`the endpoint ${endpoint} implements POST`)
      }
      const answer = await service.ask(`/${endpoint}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        content: '{}',
      })
      wantStatus(answer, 405)
      want(answer, listOf(answer, 'Allow').includes('GET'), 'Allow with GET')
    },
  },
]

import { type Answer, want, wantField, wantFieldLike, wantStatus } from '../../answer.ts'
import { objectOf } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import type { Asking, Service } from '../../service.ts'
import { essenceOf, jsonResource } from '../json-resource.ts'

const section = 'Errors, rules; RFC 9457'

/** Requests that fail, one of each kind. */
async function failures(service: Service): Promise<readonly Answer[]> {
  const path = await jsonResource(service)
  const requests: readonly (readonly [string, Asking])[] = [
    ['/no-such-endpoint', {}],
    [path, { method: 'DELETE' }],
    [path, { headers: { Accept: 'image/png' } }],
    [`${path}?fields=(`, {}],
  ]
  return Promise.all(requests.map(([target, asking]) => service.ask(target, asking)))
}

/** A rule for every error. */
function ofEach(id: string, says: string, from: string, holds: (answer: Answer) => void): Rule {
  return {
    id: `conventions.errors.${id}`,
    says,
    section: from,
    async check(service) {
      for (const answer of await failures(service)) holds(answer)
    },
  }
}

const secretQuery = '?token=contract-secret&password=contract-secret'

export const errorRules: readonly Rule[] = [
  ofEach('status', 'An invalid request MUST be rejected with a status from 400 to 499.', 'Errors, rules', (answer) => {
    want(answer, answer.status >= 400 && answer.status < 500, 'a status from 400 to 499')
  }),
  ofEach('media-type', 'A problem document MUST be sent as application/problem+json.', section, (answer) => {
    want(answer, essenceOf(answer) === 'application/problem+json', 'Content-Type: application/problem+json')
  }),
  ofEach(
    'members',
    'A problem document MUST have the strings type and title, and the number status.',
    section,
    (answer) => {
      const { type, title, status } = objectOf(answer)
      want(
        answer,
        typeof type === 'string' && typeof title === 'string' && typeof status === 'number',
        'type, title and status',
      )
    },
  ),
  ofEach('status-agrees', 'The status in a problem document MUST be that of the response.', section, (answer) => {
    want(answer, objectOf(answer)['status'] === answer.status, `"status":${answer.status}`)
  }),
  ofEach('detail', 'A problem document SHOULD have a detail.', section, (answer) => {
    const { detail } = objectOf(answer)
    want(answer, typeof detail === 'string' && detail !== '', 'a string detail')
  }),
  ofEach('length', 'A problem document MUST have a Content-Length.', 'RFC 9110 §8.6', (answer) => {
    wantField(answer, 'Content-Length', String(answer.bytes.length))
    want(answer, answer.surplus === 0, 'no bytes after the content')
  }),
  ofEach('not-kept', 'An error MUST NOT be stored by caches.', 'Conventions for endpoints, headers', (answer) => {
    wantFieldLike(answer, 'Cache-Control', /\bno-store\b/, 'no-store')
  }),
  ofEach('no-inside', 'An error MUST NOT reveal internals such as stacks and files.', 'Errors, rules', (answer) => {
    want(
      answer,
      !/\n[ \t]+at |\bnode_modules\b|file:\/\/|\.[cm]?[jt]s:\d+/.test(answer.text),
      'content without stacks and files',
    )
  }),
  {
    id: 'conventions.errors.consistent',
    says: 'All errors MUST have problem documents with the same members.',
    section: 'Errors, rules',
    async check(service) {
      const answers = await failures(service)
      const names = (answer: Answer) => Object.keys(objectOf(answer)).sort().join(', ')
      const [first] = answers
      for (const answer of answers) {
        want(answer, first !== undefined && names(answer) === names(first), `the members ${first && names(first)}`)
      }
    },
  },
  {
    id: 'conventions.errors.instance',
    says: 'A problem document SHOULD have the path of the request, without the query.',
    section,
    async check(service) {
      const answer = await service.ask(`/no-such-endpoint${secretQuery}`)
      want(
        answer,
        objectOf(answer)['instance'] === service.at('/no-such-endpoint'),
        `"instance":"${service.at('/no-such-endpoint')}"`,
      )
    },
  },
  {
    id: 'conventions.errors.no-echo',
    says: 'An error MUST NOT repeat the query, which may contain secrets.',
    section: 'Authentication',
    shared: true,
    async check(service) {
      const answer = await service.ask(`/no-such-endpoint${secretQuery}`)
      want(answer, !answer.text.includes('contract-secret'), 'content without the query')
    },
  },
  {
    id: 'conventions.errors.as-json',
    says: 'A client that only accepts application/json MUST get problem documents as such.',
    section: 'RFC 9110 §12.5.1',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { headers: { Accept: 'application/json' } })
      want(answer, essenceOf(answer) === 'application/json', 'Content-Type: application/json')
      objectOf(answer)
    },
  },
  {
    id: 'conventions.errors.browser',
    says: 'A browser MUST get a problem document instead of a page.',
    section: 'Errors, rules',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { headers: { Accept: 'text/html' } })
      wantStatus(answer, 404)
      objectOf(answer)
    },
  },
]

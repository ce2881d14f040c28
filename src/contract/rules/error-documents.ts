import { type Answer, want, wantField, wantFieldLike, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import type { Asking, Service } from '../service.ts'
import { essenceOf } from './media-types.ts'
import { jsonResource } from './subjects.ts'

const section = 'Errors, rules; RFC 9457'

/** One failing request of each kind. */
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

/** A rule that holds for every error. */
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
  ofEach('status', 'What fails by the request MUST have a status from 400 to 499.', 'Errors, rules', (answer) => {
    want(answer, answer.status >= 400 && answer.status < 500, 'a status from 400 to 499')
  }),
  ofEach('media-type', 'An error document MUST be sent as application/problem+json.', section, (answer) => {
    want(answer, essenceOf(answer) === 'application/problem+json', 'Content-Type: application/problem+json')
  }),
  ofEach(
    'members',
    'An error document MUST have the texts type and title, and the number status.',
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
  ofEach('status-agrees', 'The status in an error document MUST be that of the answer.', section, (answer) => {
    want(answer, objectOf(answer)['status'] === answer.status, `"status":${answer.status}`)
  }),
  ofEach('detail', 'An error document SHOULD say in a detail what is wrong.', section, (answer) => {
    const { detail } = objectOf(answer)
    want(answer, typeof detail === 'string' && detail !== '', 'a text detail')
  }),
  ofEach('length', 'An error document MUST have its Content-Length.', 'RFC 9110 §8.6', (answer) => {
    wantField(answer, 'Content-Length', String(answer.bytes.length))
    want(answer, answer.surplus === 0, 'nothing behind the content')
  }),
  ofEach('not-kept', 'An error MUST NOT be kept by anybody.', 'Conventions for endpoints, headers', (answer) => {
    wantFieldLike(answer, 'Cache-Control', /\bno-store\b/, 'no-store')
  }),
  ofEach('no-inside', 'An error MUST NOT tell of the inside: no stack, no file.', 'Errors, rules', (answer) => {
    want(
      answer,
      !/\n[ \t]+at |\bnode_modules\b|file:\/\/|\.[cm]?[jt]s:\d+/.test(answer.text),
      'content without stack and files',
    )
  }),
  {
    id: 'conventions.errors.consistent',
    says: 'All errors MUST have error documents with the same members.',
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
    says: 'An error document SHOULD name the path that was asked for, without the query.',
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
    says: 'An error MUST NOT repeat the query, which may hold a secret.',
    section: 'Authentication',
    shared: true,
    async check(service) {
      const answer = await service.ask(`/no-such-endpoint${secretQuery}`)
      want(answer, !answer.text.includes('contract-secret'), 'content without the query')
    },
  },
  {
    id: 'conventions.errors.as-json',
    says: 'Who only accepts application/json MUST get the error document as that.',
    section: 'RFC 9110 §12.5.1',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { headers: { Accept: 'application/json' } })
      want(answer, essenceOf(answer) === 'application/json', 'Content-Type: application/json')
      objectOf(answer)
    },
  },
  {
    id: 'conventions.errors.browser',
    says: 'A browser MUST get the error document, too, and no page.',
    section: 'Errors, rules',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint', { headers: { Accept: 'text/html' } })
      wantStatus(answer, 404)
      objectOf(answer)
    },
  },
]

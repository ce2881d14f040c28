import { wantField, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { token } from './application.ts'
import { type Trial, wantEqual } from './subject.ts'

let level = 'INFO' as 'INFO' | 'DEBUG'

/** A management with something to change. */
const options: Trial['options'] = {
  expose: ['health', 'loggers'],
  loggers: {
    levels: ['OFF', 'INFO', 'DEBUG'],
    names: () => ['ROOT'],
    level: (name) => (name === 'ROOT' ? { configuredLevel: level, effectiveLevel: level } : undefined),
    configure(_name, next) {
      level = next === 'DEBUG' ? 'DEBUG' : 'INFO'
    },
  },
}

/** Header fields that clients send, and whether a change is rejected. */
const senders: readonly (readonly [who: string, isRefused: boolean, fields: Readonly<Record<string, string>>])[] = [
  ['a client other than a browser', false, {}],
  [
    'a page of the management’s own origin',
    false,
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://proxy.example' },
  ],
  ['a user, by hand', false, { 'Sec-Fetch-Site': 'none' }],
  ['a page of another site', true, { 'Sec-Fetch-Site': 'cross-site' }],
  ['a page of another origin', true, { Origin: 'http://evil.example' }],
  ['a page of another port of this host', true, { 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:1' }],
  ['a page without an origin', true, { Origin: 'null' }],
]

export const crossSiteTrials: readonly Trial[] = senders.map(
  ([who, isRefused, fields]): Trial => ({
    title: `a change requested by ${who} is ${isRefused ? 'rejected with 403' : 'made'}, and reads are allowed`,
    options,
    async attempt({ ask, at }) {
      level = 'INFO'
      const headers = { ...fields, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const answer = await ask('/loggers/ROOT', { method: 'POST', headers, content: '{"configuredLevel":"DEBUG"}' })
      // A body parser may have consumed the body.
      if (isRefused) wantStatus(answer, 403)
      else wantStatus(answer, 204, 400)
      wantEqual(answer, level, answer.status === 204 ? 'DEBUG' : 'INFO')
      wantStatus(await ask('/loggers/ROOT', { headers: fields }), 200)
      if (!isRefused) return
      wantField(answer, 'Content-Type', 'application/problem+json')
      wantEqual(answer, objectOf(answer)['instance'], at('/loggers/ROOT'))
    },
  }),
)

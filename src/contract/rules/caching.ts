import { type Answer, fieldOf, want, wantField, wantFieldLike } from '../answer.ts'
import { knownEndpoints } from '../exposure.ts'
import type { Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { jsonResource } from './subjects.ts'

const section = 'Conventions for endpoints, headers'
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** All that GET answers with 200. */
async function answers(service: Service): Promise<readonly Answer[]> {
  const paths: string[] = []
  for (const endpoint of [...knownEndpoints, ...(service.settings.endpoints ?? [])])
    if (await service.has(endpoint)) paths.push(`/${endpoint}`)
  if (await service.has('links')) paths.push('')
  const all = await Promise.all(paths.map((path) => service.ask(path)))
  return all.filter(({ status }) => status === 200)
}

/** A rule that holds for every 200. */
function ofEach(id: string, says: string, from: string, holds: (answer: Answer) => void, shared = false): Rule {
  return {
    id: `conventions.caching.${id}`,
    says,
    section: from,
    shared,
    async check(service) {
      for (const answer of await answers(service)) holds(answer)
    },
  }
}

export const cachingRules: readonly Rule[] = [
  ofEach(
    'date',
    'Each answer MUST say in Date when it was made.',
    'RFC 9110 §6.6.1',
    (answer) => wantFieldLike(answer, 'Date', httpDate, 'an HTTP date'),
    true,
  ),
  ofEach(
    'clock',
    'Date SHOULD be the time.',
    'RFC 9110 §6.6.1',
    (answer) => {
      const apart = Math.abs(Date.parse(fieldOf(answer, 'Date')) - Date.now())
      want(answer, apart < 300_000, 'a Date of less than five minutes ago')
    },
    true,
  ),
  ofEach('control', 'Each answer MUST say by Cache-Control for how long it may be used.', section, (answer) => {
    wantFieldLike(answer, 'Cache-Control', /\b(max-age=\d+|no-cache|no-store)\b/, 'max-age, no-cache or no-store')
  }),
  ofEach(
    'forbidden',
    'What must not be kept MUST say so to old caches, too: Pragma: no-cache and Expires: 0.',
    section,
    (answer) => {
      if (!/\bno-(store|cache)\b/.test(fieldOf(answer, 'Cache-Control'))) return
      wantField(answer, 'Pragma', 'no-cache')
      wantField(answer, 'Expires', '0')
    },
  ),
  ofEach('max-age', 'What may be kept MUST say the same in max-age and in Expires.', section, (answer) => {
    const [, age] = /\bmax-age=(\d+)/.exec(fieldOf(answer, 'Cache-Control')) ?? []
    if (age === undefined) return
    wantFieldLike(answer, 'Expires', httpDate, 'an HTTP date')
    const seconds = (Date.parse(fieldOf(answer, 'Expires')) - Date.parse(fieldOf(answer, 'Date'))) / 1_000
    want(answer, Math.abs(seconds - Number(age)) <= 1, `Expires ${age} s after Date`)
  }),
  ofEach(
    'no-cookies',
    'An answer SHOULD NOT set cookies.',
    'RFC 9111 §7.3',
    (answer) => {
      want(answer, !answer.fields.has('set-cookie'), 'no field Set-Cookie')
    },
    true,
  ),
  ofEach(
    'type',
    'Each answer MUST say its media type.',
    section,
    (answer) => wantFieldLike(answer, 'Content-Type', /^[\w.+-]+\/[\w.+-]+/, 'a media type'),
    true,
  ),
  ofEach(
    'length',
    'Content-Length MUST be the number of bytes, and be left out only of what is sent in chunks.',
    'RFC 9110 §8.6',
    (answer) => {
      want(answer, answer.framing === 'length' || answer.framing === 'chunked', 'a Content-Length, or chunks')
      want(answer, answer.surplus === 0, 'nothing behind the content')
    },
    true,
  ),
  {
    id: 'conventions.caching.json-length',
    says: 'JSON MUST be sent with its Content-Length.',
    section,
    async check(service) {
      const answer = await service.ask(await jsonResource(service))
      wantField(answer, 'Content-Length', String(answer.bytes.length))
    },
  },
  {
    id: 'conventions.caching.stranger',
    says: 'What depends on who asks MUST NOT be kept where others get it.',
    section: 'RFC 9111 §3.5',
    needs: ['health', 'authorization'],
    async check(service) {
      wantFieldLike(await service.ask('/health'), 'Cache-Control', /\b(no-store|private)\b/, 'no-store or private')
    },
  },
]

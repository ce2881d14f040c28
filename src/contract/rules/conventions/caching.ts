import { type Answer, fieldOf, want, wantField, wantFieldLike } from '../../answer.ts'
import type { Rule } from '../../rule.ts'
import { knownEndpoints, type Service } from '../../service.ts'
import { jsonResource } from '../json-resource.ts'

const section = 'Conventions for endpoints, headers'
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** All resources that respond to GET with 200. */
async function answers(service: Service): Promise<readonly Answer[]> {
  const paths: string[] = []
  for (const endpoint of [...knownEndpoints, ...(service.settings.endpoints ?? [])])
    if (await service.has(endpoint)) paths.push(`/${endpoint}`)
  if (await service.has('links')) paths.push('')
  const all = await Promise.all(paths.map((path) => service.ask(path)))
  return all.filter(({ status }) => status === 200)
}

/** A rule for every response with 200. */
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
    'A response MUST have a Date.',
    'RFC 9110 §6.6.1',
    (answer) => wantFieldLike(answer, 'Date', httpDate, 'an HTTP date'),
    true,
  ),
  ofEach(
    'clock',
    'Date SHOULD be the current time.',
    'RFC 9110 §6.6.1',
    (answer) => {
      const apart = Math.abs(Date.parse(fieldOf(answer, 'Date')) - Date.now())
      want(answer, apart < 300_000, 'a Date at most five minutes ago')
    },
    true,
  ),
  ofEach('control', 'A response MUST have Cache-Control.', section, (answer) => {
    wantFieldLike(answer, 'Cache-Control', /\b(max-age=\d+|no-cache|no-store)\b/, 'max-age, no-cache or no-store')
  }),
  ofEach(
    'forbidden',
    'A response that must not be stored MUST also have Pragma: no-cache and Expires: 0, for old caches.',
    section,
    (answer) => {
      if (!/\bno-(store|cache)\b/.test(fieldOf(answer, 'Cache-Control'))) return
      wantField(answer, 'Pragma', 'no-cache')
      wantField(answer, 'Expires', '0')
    },
  ),
  ofEach('max-age', 'Expires MUST agree with max-age.', section, (answer) => {
    const [, age] = /\bmax-age=(\d+)/.exec(fieldOf(answer, 'Cache-Control')) ?? []
    if (age === undefined) return
    wantFieldLike(answer, 'Expires', httpDate, 'an HTTP date')
    const seconds = (Date.parse(fieldOf(answer, 'Expires')) - Date.parse(fieldOf(answer, 'Date'))) / 1_000
    want(answer, Math.abs(seconds - Number(age)) <= 1, `Expires ${age} s after Date`)
  }),
  ofEach(
    'no-cookies',
    'A response SHOULD NOT set cookies.',
    'RFC 9111 §7.3',
    (answer) => {
      want(answer, !answer.fields.has('set-cookie'), 'no field Set-Cookie')
    },
    true,
  ),
  ofEach(
    'type',
    'A response MUST have a media type.',
    section,
    (answer) => wantFieldLike(answer, 'Content-Type', /^[\w.+-]+\/[\w.+-]+/, 'a media type'),
    true,
  ),
  ofEach(
    'length',
    'Content-Length MUST be the number of bytes, and be omitted only from chunked responses.',
    'RFC 9110 §8.6',
    (answer) => {
      want(answer, answer.framing === 'length' || answer.framing === 'chunked', 'a Content-Length, or chunks')
      want(answer, answer.surplus === 0, 'no bytes after the content')
    },
    true,
  ),
  {
    id: 'conventions.caching.json-length',
    says: 'JSON MUST be sent with Content-Length.',
    section,
    async check(service) {
      const answer = await service.ask(await jsonResource(service))
      wantField(answer, 'Content-Length', String(answer.bytes.length))
    },
  },
  {
    id: 'conventions.caching.stranger',
    says: 'A response that depends on the caller MUST NOT be stored by shared caches.',
    section: 'RFC 9111 §3.5',
    needs: ['health', 'authorization'],
    async check(service) {
      wantFieldLike(await service.ask('/health'), 'Cache-Control', /\b(no-store|private)\b/, 'no-store or private')
    },
  },
]

import type { ConformanceAbility } from '../ability.ts'
import { want, wantClientError, wantField, wantStatus } from '../answer.ts'
import { isObject, objectOf } from '../json.ts'
import { type Asking, type Trial, wantEqual, wantText } from './subject.ts'

/** Requests that an HTTP parser accepts but that address nothing, or are malformed. `at` is the base path. */
function malformedRequests(at: string): readonly (readonly [name: string, target: string, asking?: Asking])[] {
  return [
    ['a lone percent sign', `${at}/%`],
    ['a percent sign not followed by hexadecimal digits', `${at}/%zz`],
    ['a truncated UTF-8 sequence', `${at}/%E0`],
    ['an overlong encoding', `${at}/%C0%AF`],
    ['a byte that is invalid in UTF-8', `${at}/health/%ff`],

    ['an encoded NUL', `${at}/health/%00`],
    ['an encoded line break', `${at}/health%0d%0aX-Evil:%201`],
    ['a trailing encoded space', `${at}/health%20`],
    ['an encoded slash', `${at}/health%2fliveness`],

    ['encoded dots', `${at}/%2e%2e${at}/health`],
    ['dot segments out of the base path', `${at}/..${at}/health`],
    ['dot segments into the base path', `/a/..${at}/health`],
    ['dot segments to a file', `${at}/info/../../../../etc/passwd`],
    ['encoded dot segments to a file', `${at}/health/..%2f..%2f..%2fetc%2fpasswd`],

    ['a single dot', `${at}/./health`],
    ['a backslash', `${at}\\health`],
    ['two slashes inside', `${at}//health`],
    ['a trailing slash', `${at}/health/`],
    ['two slashes at the start', `//x${at}/health`],
    ['three slashes at the start', `//${at}/health`],

    ['other letter case', `${at.toUpperCase()}/health`],
    ['an encoded base path', `${at.replace('m', '%6d')}/health`],
    ['a path parameter', `${at}/health;x=1`],
    ['a fragment', `${at}/health#top`],

    ['8 KiB in one segment', `${at}/${'a'.repeat(8192)}`],
    ['8 KiB of segments', `${at}/health${'/a'.repeat(4096)}`],

    ['the name of an Object.prototype member', `${at}/__proto__`],
    ['a component named like an Object.prototype member', `${at}/health/__proto__`],
    ['a meter named like an Object.prototype member', `${at}/health/toString`],

    ['a selection with an unclosed parenthesis', `${at}/info?fields=a(b`],
    ['an empty selection', `${at}/info?fields=`],
    ['a selection with an extra closing parenthesis', `${at}/info?fields=a)`],
    ['a selection nested too deeply', `${at}/info?fields=${'a('.repeat(500)}`],

    ['an invalid Accept field', `${at}/info`, { headers: { Accept: ';;q=,"' } }],
    ['an invalid accept parameter', `${at}/info?accept=%00`],
    ['an unsupported method', `${at}/health`, { method: 'PURGE' }],
    ['another unsupported method', `${at}/info`, { method: 'PROPFIND' }],
    ['the asterisk form', '*'],
  ]
}

/** Abilities needed where a server resolves or rejects the target itself. */
const needed: ReadonlyMap<string, ConformanceAbility> = new Map([
  ['encoded dots', 'rawTargets'],
  ['dot segments out of the base path', 'rawTargets'],
  ['dot segments into the base path', 'rawTargets'],
  ['a single dot', 'rawTargets'],
  ['a backslash', 'allTargets'],
  ['the asterisk form', 'allTargets'],
])

const names = malformedRequests('').map(([name]) => name)

export const targetTrials: readonly Trial[] = [
  ...names.map(
    (name, index): Trial => ({
      title: `${name}: the response is a 4xx, and the server keeps serving`,
      needs: needed.get(name),
      async attempt({ ask, askFor, at }) {
        const [, target = '', asking] = malformedRequests(at(''))[index] ?? []
        const answer = await askFor(target, asking)
        wantClientError(answer)
        wantField(answer, 'Content-Type', 'application/problem+json')
        want(answer, objectOf(answer)['status'] === answer.status, `"status":${answer.status}`)
        wantStatus(await ask('/health'), 200)
      },
    }),
  ),
  {
    title: 'a target that a server may resolve or reject gets a response, and the server keeps serving',
    async attempt({ ask, askFor, at }) {
      for (const [name, target] of malformedRequests(at(''))) {
        if (!needed.has(name)) continue
        wantStatus(await askFor(target), 200, 400, 404)
        wantStatus(await ask('/health'), 200)
      }
    },
  },
  // Requests in absolute form, which servers MUST accept (RFC 9112 §3.2.2).
  {
    title: 'a target in absolute form is handled like its path',
    async attempt({ ask, askFor, at, port }) {
      const origin = `http://127.0.0.1:${port}`
      const answer = await askFor(`${origin}${at('/health?fields=status')}`)
      wantStatus(answer, 200)
      wantText(answer, (await ask('/health?fields=status')).text)
      wantStatus(await askFor(`${origin}${at('/none')}`), 404)
      wantStatus(await askFor(`${origin}/a/..${at('/health')}`), 200, 404)
    },
  },
  {
    title: 'links have the host of a target in absolute form',
    async attempt({ askFor, at }) {
      const answer = await askFor(`http://orders.example${at('')}`, { headers: { Host: 'orders.example' } })
      wantStatus(answer, 200)
      const { _links: links } = objectOf(answer)
      const self = { href: `http://orders.example${at('')}`, templated: false }
      wantEqual(answer, isObject(links) ? links['self'] : undefined, self)
    },
  },
]

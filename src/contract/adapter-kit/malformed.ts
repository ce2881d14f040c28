import type { ConformanceAbility } from '../ability.ts'
import { want, wantClientError, wantField, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import type { Asking, Trial } from './subject.ts'

/** Requests that an HTTP parser lets pass and that address nothing, or ask for it in a broken way. `at` is the base path. */
function malformedRequests(at: string): readonly (readonly [name: string, target: string, asking?: Asking])[] {
  return [
    ['a lone percent sign', `${at}/%`],
    ['a percent sign before no hexadecimal digits', `${at}/%zz`],
    ['the first byte of a character, and no second', `${at}/%E0`],
    ['an overlong encoding', `${at}/%C0%AF`],
    ['a byte that no UTF-8 has', `${at}/health/%ff`],
    ['an encoded NUL', `${at}/health/%00`],
    ['an encoded line break', `${at}/health%0d%0aX-Evil:%201`],
    ['an encoded blank at the end', `${at}/health%20`],
    ['an encoded slash', `${at}/health%2fliveness`],
    ['encoded dots', `${at}/%2e%2e${at}/health`],
    ['dots that would lead back', `${at}/..${at}/health`],
    ['dots that would lead in', `/a/..${at}/health`],
    ['dots that would lead to a file', `${at}/info/../../../../etc/passwd`],
    ['encoded dots that would lead to a file', `${at}/health/..%2f..%2f..%2fetc%2fpasswd`],
    ['a single dot', `${at}/./health`],
    ['a backslash', `${at}\\health`],
    ['two slashes inside', `${at}//health`],
    ['a trailing slash', `${at}/health/`],
    ['two slashes at the start', `//x${at}/health`],
    ['three slashes at the start', `//${at}/health`],
    ['another case', `${at.toUpperCase()}/health`],
    ['an encoded base path', `${at.replace('m', '%6d')}/health`],
    ['a path parameter', `${at}/health;x=1`],
    ['a fragment', `${at}/health#top`],
    ['8 KiB in one segment', `${at}/${'a'.repeat(8192)}`],
    ['8 KiB of segments', `${at}/health${'/a'.repeat(4096)}`],
    ['a name that every object has', `${at}/__proto__`],
    ['a component that every object has', `${at}/health/__proto__`],
    ['a method that every object has', `${at}/health/toString`],
    ['a selection that is not closed', `${at}/info?fields=a(b`],
    ['a selection of nothing', `${at}/info?fields=`],
    ['a selection that is closed too often', `${at}/info?fields=a)`],
    ['a selection deeper than any answer', `${at}/info?fields=${'a('.repeat(500)}`],
    ['an Accept field that is no list of media types', `${at}/info`, { headers: { Accept: ';;q=,"' } }],
    ['an accept parameter that is no media type', `${at}/info?accept=%00`],
    ['a method that no resource here has', `${at}/health`, { method: 'PURGE' }],
    ['another method that no resource here has', `${at}/info`, { method: 'PROPFIND' }],
    ['the asterisk', '*'],
  ]
}

/** What those need whose target a server that makes a URL of it resolves, or refuses by itself, before anybody else sees it. */
const needed: ReadonlyMap<string, ConformanceAbility> = new Map([
  ['encoded dots', 'rawTargets'],
  ['dots that would lead back', 'rawTargets'],
  ['dots that would lead in', 'rawTargets'],
  ['a single dot', 'rawTargets'],
  ['a backslash', 'allTargets'],
  ['the asterisk', 'allTargets'],
])

const names = malformedRequests('').map(([name]) => name)

export const malformedTrials: readonly Trial[] = [
  ...names.map(
    (name, index): Trial => ({
      title: `${name} is answered with a 4xx, and the server goes on serving`,
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
    title: 'a target that a server may resolve or refuse by itself is answered, and the server goes on serving',
    async attempt({ ask, askFor, at }) {
      for (const [name, target] of malformedRequests(at(''))) {
        if (!needed.has(name)) continue
        wantStatus(await askFor(target), 200, 400, 404)
        wantStatus(await ask('/health'), 200)
      }
    },
  },
]

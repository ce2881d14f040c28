import type { Ask } from '../support/ask.ts'

/** Requests that an HTTP parser lets pass and that address nothing, or ask for it in a broken way. `at` is the base path. */
export function malformedRequests(at: string): readonly (readonly [name: string, request: Ask])[] {
  const target = (target: string): Ask => ({ target })
  return [
    ['a lone percent sign', target(`${at}/%`)],
    ['a percent sign before no hexadecimal digits', target(`${at}/%zz`)],
    ['the first byte of a character, and no second', target(`${at}/%E0`)],
    ['an overlong encoding', target(`${at}/%C0%AF`)],
    ['a byte that no UTF-8 has', target(`${at}/health/%ff`)],
    ['an encoded NUL', target(`${at}/health/%00`)],
    ['an encoded line break', target(`${at}/health%0d%0aX-Evil:%201`)],
    ['an encoded blank at the end', target(`${at}/health%20`)],
    ['an encoded slash', target(`${at}/health%2fliveness`)],
    ['encoded dots', target(`${at}/%2e%2e${at}/health`)],
    ['dots that would lead back', target(`${at}/..${at}/health`)],
    ['dots that would lead in', target(`/a/..${at}/health`)],
    ['dots that would lead to a file', target(`${at}/info/../../../../etc/passwd`)],
    ['encoded dots that would lead to a file', target(`${at}/health/..%2f..%2f..%2fetc%2fpasswd`)],
    ['a single dot', target(`${at}/./health`)],
    ['a backslash', target(`${at}\\health`)],
    ['two slashes inside', target(`${at}//health`)],
    ['a trailing slash', target(`${at}/health/`)],
    ['two slashes at the start', target(`//x${at}/health`)],
    ['three slashes at the start', target(`//${at}/health`)],
    ['another case', target(`${at.toUpperCase()}/health`)],
    ['an encoded base path', target(`${at.replace('m', '%6d')}/health`)],
    ['a path parameter', target(`${at}/health;x=1`)],
    ['a fragment', target(`${at}/health#top`)],
    ['an absolute URI of this host', target(`http://127.0.0.1${at}/health`)],
    ['an absolute URI of another host', target(`http://evil.example${at}/health`)],
    ['8 KiB in one segment', target(`${at}/${'a'.repeat(8192)}`)],
    ['8 KiB of segments', target(`${at}/health${'/a'.repeat(4096)}`)],
    ['a name that every object has', target(`${at}/__proto__`)],
    ['a component that every object has', target(`${at}/health/__proto__`)],
    ['a method that every object has', target(`${at}/health/toString`)],
    ['a selection that is not closed', target(`${at}/info?fields=a(b`)],
    ['a selection of nothing', target(`${at}/info?fields=`)],
    ['a selection that is closed too often', target(`${at}/info?fields=a)`)],
    ['a selection deeper than any answer', target(`${at}/info?fields=${'a('.repeat(500)}`)],
    ['an Accept field that is no list of media types', { target: `${at}/info`, headers: { Accept: ';;q=,"' } }],
    ['an accept parameter that is no media type', target(`${at}/info?accept=%00`)],
    ['a method that no resource here has', { method: 'PURGE', target: `${at}/health` }],
    ['another method that no resource here has', { method: 'PROPFIND', target: `${at}/info` }],
    ['the asterisk', { method: 'GET', target: '*' }],
  ]
}

/**
 * Those whose target a server that makes a `Request` of it has resolved, or refused by itself, before anybody else sees it:
 * a `Request` has a URL and no target.
 */
export const resolvedByServer: ReadonlySet<string> = new Set([
  'encoded dots',
  'dots that would lead back',
  'dots that would lead in',
  'a single dot',
  'a backslash',
  'an absolute URI of this host',
  'an absolute URI of another host',
  'the asterisk',
])

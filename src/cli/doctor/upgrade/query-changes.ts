import { type Finding, lineOf } from './code-changes.ts'

/** Renamed series and labels, in dashboards, alerts and rules. */
const changes: readonly {
  readonly pattern: RegExp
  readonly what: string
  readonly instead: (found: RegExpMatchArray) => string
}[] = [
  {
    pattern: /\bhttp_server_requests_active\b/g,
    what: 'active requests are a long task timer, as in Spring Boot 4',
    instead: () => 'sum(http_server_requests_active_seconds_count)',
  },
  {
    pattern: /\b(?!hikaricp_|jdbc_)([a-z]\w*)_connections_(active|idle|pending)\b/g,
    what: 'meters of database pools have the tag pool; pools of undici keep their names',
    instead: ([, pool, kind]) => `hikaricp_connections_${kind}{pool="${pool}"}`,
  },
  {
    pattern: /\b(\w+)_(gcount|gsum)\b/g,
    what: 'long task timers without buckets are summaries',
    instead: ([, name, kind = '']) => `${name}_${kind.slice(1)}`,
  },
  {
    pattern: /\bjvm_memory_max_bytes\{[^{}]*id=\\?"heap\\?"/g,
    what: 'the limit of the heap has another id',
    instead: () => 'jvm_memory_max_bytes{area="heap",id="old_space"}',
  },
  {
    pattern: /\bhttp_server_requests_\w+\{[^{}]*uri=~?\\?"(?:UNKNOWN|NOT_FOUND|REDIRECTION)\\?"/g,
    what: 'requests that end in a mounted router have the template of the mount',
    instead: () => 'uri=~"UNKNOWN|NOT_FOUND|.*/[*][*]"',
  },
  {
    pattern: /\bmethod=~?\\?"OTHER\\?"/g,
    what: 'the tag method of an unknown method is UNKNOWN',
    instead: () => 'method="UNKNOWN"',
  },
]

/** Returns what has to change in queries that were written for version 0.1. */
export function findInQueries(text: string): readonly Finding[] {
  const found = changes.flatMap(({ pattern, what, instead }) =>
    [...text.matchAll(pattern)].map((match) => ({ line: lineOf(text, match.index), what, instead: instead(match) })),
  )
  return found.sort((a, b) => a.line - b.line)
}

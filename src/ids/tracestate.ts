/** What one tracing system keeps in a trace: its key, and a value that it alone can read. */
export interface TracestateMember {
  readonly key: string
  readonly value: string
}

const mostMembers = 32

const memberGrammar = /^[ \t]*(?:([a-z0-9][a-z0-9_\-*/@]{0,255})=([ -+\--<>-~]{0,255}[!-+\--<>-~]))?[ \t]*$/

/**
 * The members of a `tracestate` field, in their order: the system that took part last stands first. `undefined` when
 * the field is absent, malformed or has more than 32. Several fields are read joined by commas, empty members are passed over,
 * and of two members with one key the first, which is the newer, is kept. W3C Trace Context Level 2 §3.3.
 */
export function parseTracestate(text: string | undefined): readonly TracestateMember[] | undefined {
  if (text === undefined) return undefined
  const members = new Map<string, TracestateMember>()
  let count = 0
  for (const part of text.split(',')) {
    const match = memberGrammar.exec(part)
    if (match === null) return undefined
    const [, key, value] = match
    if (key === undefined || value === undefined) continue
    count += 1
    if (count > mostMembers) return undefined
    if (!members.has(key)) members.set(key, { key, value })
  }
  return [...members.values()]
}

/**
 * The `tracestate` field of members that stand newest first; the empty text, of none, is not worth sending.
 *
 * @throws RangeError when there are more than 32 members, two with one key, or one against the grammar.
 */
export function formatTracestate(members: readonly TracestateMember[]): string {
  const text = members.map(({ key, value }) => `${key}=${value}`).join(',')
  const parsed = parseTracestate(text)
  const same = parsed?.every(({ key, value }, at) => key === members[at]?.key && value === members[at].value)
  if (!same || parsed?.length !== members.length) throw new RangeError(`no tracestate can hold ${JSON.stringify(text)}`)
  return text
}

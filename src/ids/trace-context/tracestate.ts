import { trimWhiteSpace } from '../../base/white-space.ts'

/** What one tracing system keeps in a trace: its key, and a value that it alone can read. */
export interface TracestateMember {
  readonly key: string
  readonly value: string
}

const maxMembers = 32

const maxMemberLength = 256 + 1 + 256

/** The length of the longest list that the grammar allows, without optional white space: 16,447 characters. */
const maxLength = maxMembers * (maxMemberLength + 1) - 1

/** Matched without the white space around it, and never more than {@link maxMemberLength}: its cost is bounded. */
const memberGrammar = /^([a-z0-9][a-z0-9_\-*/@]{0,255})=([ -+\--<>-~]{1,256})$/

/**
 * Returns the members of a `tracestate` field in their order: the system that took part last comes first. Returns `undefined`
 * if the field is absent, malformed, has more than 32 members or more than 16,447 characters. Several fields are read joined
 * by commas, empty members are skipped, and of two members with one key the first, which is the newer, is kept. Takes time
 * linear in the length of the field. W3C Trace Context Level 2 §3.3.
 */
export function parseTracestate(text: string | undefined): readonly TracestateMember[] | undefined {
  if (text === undefined || text.length > maxLength) return undefined
  const members = new Map<string, TracestateMember>()
  let count = 0
  for (const part of text.split(',')) {
    const member = trimWhiteSpace(part)
    if (member === '') continue
    count += 1
    if (count > maxMembers || member.length > maxMemberLength) return undefined
    const [, key, value] = memberGrammar.exec(member) ?? []
    if (key === undefined || value === undefined) return undefined
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

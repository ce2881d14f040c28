import { argumentOutOfRange } from '../../base/errors.ts'
import { trimWhiteSpace } from '../../base/white-space.ts'

/** A member of `tracestate`: the key of a tracing system, and its opaque value. */
export interface TracestateMember {
  readonly key: string
  readonly value: string
}

const maxMembers = 32

const maxMemberLength = 256 + 1 + 256

/** The maximum length that the grammar allows, without optional white space: 16,447 characters. */
const maxLength = maxMembers * (maxMemberLength + 1) - 1

/** Matched against at most {@link maxMemberLength} characters, so that its time is bounded. */
const memberGrammar = /^([a-z0-9][a-z0-9_\-*/@]{0,255})=([ -+\--<>-~]{1,256})$/

/**
 * Parses a `tracestate` field. Returns its members in order, the most recent system first, or `undefined` if the field
 * is absent, malformed, has more than 32 members or more than 16,447 characters. Several fields are read joined by
 * commas, empty members are skipped, and of two members with one key the first, which is newer, is returned. Takes time
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
 * Formats members, the most recent first, as a `tracestate` field. Returns an empty string without members.
 *
 * @throws RangeError if there are more than 32 members, two with one key, or an invalid one.
 */
export function formatTracestate(members: readonly TracestateMember[]): string {
  const text = members.map(({ key, value }) => `${key}=${value}`).join(',')
  const parsed = parseTracestate(text)
  const same = parsed?.every(({ key, value }, at) => key === members[at]?.key && value === members[at].value)
  if (!same || parsed?.length !== members.length)
    throw argumentOutOfRange(`expected valid members of tracestate, received ${JSON.stringify(text)}`)
  return text
}

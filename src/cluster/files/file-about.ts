import type { MemberIdentity } from '../member-image.ts'

/** Who wrote a file, and when its definitions began anew. */
export type FileAbout =
  | { readonly kind: 'member'; readonly generation: string; readonly identity: MemberIdentity }
  | { readonly kind: 'base'; readonly generation: string; readonly folded: readonly FoldedMember[] }

/** A member whose values the base contains. */
export interface FoldedMember {
  readonly incarnation: string
  /** When it was folded, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number
}

/** Reads what was written as JSON. Returns `undefined` if it is something else. */
export function parseAbout(value: unknown): FileAbout | undefined {
  const { generation, identity, folded } = record(value)
  if (!isShort(generation)) return undefined
  if (Array.isArray(folded)) {
    const members = folded.map(parseFolded)
    return members.every((member) => member !== undefined) ? { kind: 'base', generation, folded: members } : undefined
  }
  const parsed = parseIdentity(record(identity))
  return parsed === undefined ? undefined : { kind: 'member', generation, identity: parsed }
}

function parseFolded(value: unknown): FoldedMember | undefined {
  const { incarnation, time } = record(value)
  return isShort(incarnation) && isNumber(time) ? { incarnation, time } : undefined
}

function parseIdentity(fields: Readonly<Record<string, unknown>>): MemberIdentity | undefined {
  const { slot, incarnation, pid, processStart, systemThread, parent, threadId, joinedAt, application, version } =
    fields
  if (!isIndex(slot) || !isIndex(pid) || !isIndex(parent) || !isIndex(threadId) || !isNumber(joinedAt)) return undefined
  if (!isShort(incarnation) || !isShort(processStart) || !isShort(application)) return undefined
  if ((systemThread !== undefined && !isShort(systemThread)) || (version !== undefined && !isShort(version))) {
    return undefined
  }
  return { slot, incarnation, pid, processStart, systemThread, parent, threadId, joinedAt, application, version }
}

/** Returns the own properties of an object: `__proto__` in JSON is one, and is not read. */
function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.assign(Object.create(null), value) : {}
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 1024
}

import { hideCredentials, isSecretName } from '../base/redaction.ts'

const hidden = '***'

/** Headers that no pattern of a setting's name matches. */
const authorization = /authorization|authenticat/i

const maxDepth = 6
const maxMembers = 256

/** Returns text without the credentials in it, then limits its length: part of a credential would not be recognized. */
export function showText(text: string, maxLength: number): string {
  const shown = hideCredentials(text)
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength)}…`
}

/**
 * Returns a copy of values that the application provides, such as the fields of a log record, as JSON can represent it.
 * Strings have no credentials and a limited length. `***` replaces values whose name may be that of a secret, as in the
 * endpoint `env`. There are at most 256 members in 6 levels.
 */
export function showValues(
  values: Readonly<Record<string, unknown>>,
  maxLength: number,
): Readonly<Record<string, unknown>> {
  let members = 0
  const showMember = (name: string, value: unknown, depth: number) =>
    isSecret(name, value) ? hidden : show(value, depth)
  const showMembers = (value: object, depth: number): Readonly<Record<string, unknown>> => {
    const shown: [string, unknown][] = []
    const entries = Object.entries(value)
    for (const [name, member] of entries) {
      if (members >= maxMembers) break
      members += 1
      shown.push([showText(name, maxLength), showMember(name, member, depth + 1)])
    }
    if (shown.length < entries.length) shown.push(['…', `${entries.length - shown.length} more`])
    return Object.fromEntries(shown)
  }
  const showItems = (items: readonly unknown[], depth: number): readonly unknown[] => {
    const shown: unknown[] = []
    for (const item of items) {
      if (members >= maxMembers) break
      members += 1
      shown.push(show(item, depth + 1))
    }
    return shown.length < items.length ? [...shown, `… ${items.length - shown.length} more`] : shown
  }
  const show = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return showText(value, maxLength)
    if (typeof value !== 'object') return isPlain(value) ? value : showText(String(value), maxLength)
    if (value === null) return null
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (depth === maxDepth) return '…'
    return Array.isArray(value) ? showItems(value, depth) : showMembers(value, depth)
  }
  return showMembers(values, 0)
}

/** Whether a value may be a secret, by its name. Whether there is one is not secret. */
function isSecret(name: string, value: unknown): boolean {
  if (typeof value === 'boolean' || value === null || value === undefined) return false
  return isSecretName(name) || authorization.test(name)
}

function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || value === undefined
}

/** Returns how many characters the strings in a value have: in 6 levels, and at least `limit` if there are more. */
export function textLength(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth === maxDepth) return 0
  let length = 0
  for (const name in value) {
    length += name.length + textLength(Reflect.get(value, name), limit - length, depth + 1)
    if (length >= limit) break
  }
  return length
}

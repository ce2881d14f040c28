/** Options for parsing a list. */
interface ListOptions {
  /** @default true */
  readonly quotedPairs?: boolean
  /** Members beyond this number are not read. @default Infinity */
  readonly atMost?: number
}

/**
 * Returns the members of a comma-separated field value, without surrounding white space; empty members are omitted (RFC
 * 9110 §5.6.1). A comma inside a quoted string belongs to its member.
 *
 * `quotedPairs` is whether a backslash inside quotes escapes the next character. It does in a quoted string (RFC 9110
 * §5.6.4), but not in an entity tag (§8.8.3).
 */
export function parseList(text: string, options: ListOptions = {}): readonly string[] {
  const { quotedPairs = true, atMost = Number.POSITIVE_INFINITY } = options
  const members: string[] = []
  const add = (member: string) => {
    if (member !== '' && members.length < atMost) members.push(member)
  }
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length && members.length < atMost; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted && quotedPairs && character === '\\') at++
    else if (!quoted && character === ',') {
      add(text.slice(start, at).trim())
      start = at + 1
    }
  }
  add(text.slice(start).trim())
  return members
}

/** Shorter values have no more members than legitimate clients send. */
const shortLength = 256

/**
 * Returns a list with only its first `count` members, to bound the work per field. Values of up to 256 characters are
 * returned unchanged.
 */
export function firstMembers(text: string, count: number): string {
  return text.length <= shortLength ? text : parseList(text, { atMost: count }).join(', ')
}

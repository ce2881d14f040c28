/** How a list is read. */
interface ListOptions {
  /** @default true */
  readonly quotedPairs?: boolean
  /** Further members are not read. @default Infinity */
  readonly atMost?: number
}

/**
 * The members of a comma-separated field value, without the white space around them; empty members are passed over
 * (RFC 9110 §5.6.1). A comma inside a quoted string belongs to its member.
 *
 * `quotedPairs` says whether a backslash inside quotes takes the next character with it: it does in a quoted string
 * (RFC 9110 §5.6.4), it does not in an entity tag (§8.8.3).
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

/** A shorter field value has no more members than anybody would send. */
const shortLength = 256

/**
 * Returns a list with its first `count` members, for what does some work for each member. Values of up to 256
 * characters are returned as they are.
 */
export function firstMembers(text: string, count: number): string {
  return text.length <= shortLength ? text : parseList(text, { atMost: count }).join(', ')
}

/**
 * The members of a comma-separated field value, without the white space around them; empty members are passed over
 * (RFC 9110 §5.6.1). A comma inside a quoted string belongs to its member.
 *
 * `quotedPairs` says whether a backslash inside quotes takes the next character with it: it does in a quoted string
 * (RFC 9110 §5.6.4), it does not in an entity tag (§8.8.3).
 */
export function parseList(text: string, { quotedPairs = true }: { quotedPairs?: boolean } = {}): readonly string[] {
  const members: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted && quotedPairs && character === '\\') at++
    else if (!quoted && character === ',') {
      members.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  members.push(text.slice(start).trim())
  return members.filter((member) => member !== '')
}

/** A shorter field value has no more members than anybody would send. */
const shortLength = 256

/** Returns a list with its first `count` members: what is done for each member then has a bound. Short values are returned as they are. */
export function firstMembers(text: string, count: number): string {
  return text.length <= shortLength ? text : parseList(text).slice(0, count).join(', ')
}

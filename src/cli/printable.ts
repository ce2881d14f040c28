/** Replaces control characters, which names of others may contain, and which a terminal obeys. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd')
}

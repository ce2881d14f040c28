/**
 * Characters that a terminal or a viewer obeys instead of showing them: controls, line and paragraph separators, and those that
 * change the direction of what follows (Unicode Bidirectional Algorithm, UAX #9 §2).
 */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** What `JSON.stringify` leaves in a line of such characters, and its escapes of half surrogate pairs. */
const unsafeInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\\ud[89a-f]/

/** An escape of half a surrogate pair, and not a backslash that is followed by such letters. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** Returns a text in which characters that would be obeyed are shown as escapes such as `\n` or `\u202e`. */
export function showUnsafe(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\n') return '\\n'
    return character === '\t' ? '\\t' : escapeOf(character)
  })
}

/**
 * Returns a line of JSON, made by `JSON.stringify`, as JSON of the same meaning without such characters. Half a surrogate pair,
 * which is no character and makes some readers stop (jq 1.6), becomes U+FFFD.
 */
export function showUnsafeInJson(line: string): string {
  return unsafeInJson.test(line) ? line.replace(loneSurrogate, '$1\ufffd').replace(unsafe, escapeOf) : line
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

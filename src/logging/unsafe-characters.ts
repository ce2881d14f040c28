/**
 * Characters that a terminal or a viewer interprets: controls, line and paragraph separators, and those that change the
 * direction of text (Unicode Bidirectional Algorithm, UAX #9 §2).
 */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Those that `JSON.stringify` does not escape, and its escapes of lone surrogates. */
const unsafeInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\\ud[89a-f]/

/** An escape of a lone surrogate, but not an escaped backslash that is followed by the same letters. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** Replaces unsafe characters by escapes such as `\n` or `\u202e`. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\n') return '\\n'
    return character === '\t' ? '\\t' : escapeOf(character)
  })
}

/**
 * Escapes unsafe characters in a line of `JSON.stringify`, without changing its meaning. Lone surrogates, which some
 * parsers reject (jq 1.6), become U+FFFD.
 */
export function escapeUnsafeInJson(line: string): string {
  return unsafeInJson.test(line) ? line.replace(loneSurrogate, '$1\ufffd').replace(unsafe, escapeOf) : line
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

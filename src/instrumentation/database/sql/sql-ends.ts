const backslash = 0x5c

/**
 * Returns the end of a quoted string, after its closing quote. Quotes are escaped by doubling, and by a backslash if
 * `escapes` is set.
 */
export function endOfQuoted(text: string, start: number, close: string, escapes: boolean): number {
  const closing = close.charCodeAt(0)
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (escapes && code === backslash) at++
    else if (code === closing) {
      if (text.charCodeAt(at + 1) !== closing) return at + 1
      at++
    }
  }
  return text.length
}

/** Returns the end of a line, using a global pattern. */
export function endOfLine(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.index ?? text.length
}

export function endOfBlockComment(text: string, start: number, isNested: boolean): number {
  let depth = 1
  for (let at = start + 2; at < text.length; at++) {
    if (text.startsWith('*/', at)) {
      at++
      depth--
      if (depth === 0) return at + 1
    } else if (isNested && text.startsWith('/*', at)) {
      at++
      depth++
    }
  }
  return text.length
}

const dollarTag = /\$(?:[A-Za-z_\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*)?\$/uy

/** Returns the end of `$tag$ … $tag$`, or `undefined` if the position is not the start of one. */
export function endOfDollarQuote(text: string, start: number): number | undefined {
  dollarTag.lastIndex = start
  const tag = dollarTag.exec(text)?.[0]
  if (tag === undefined) return undefined
  const close = text.indexOf(tag, start + tag.length)
  return close === -1 ? text.length : close + tag.length
}

const number = /(?:\d|\.\d)(?:[eE][+-]?\d|[\p{L}\p{N}_.])*/uy

/** Returns the end of a number: integer, decimal, exponent or other base, with trailing word characters. */
export function endOfNumber(text: string, start: number): number | undefined {
  number.lastIndex = start
  return number.test(text) ? number.lastIndex : undefined
}

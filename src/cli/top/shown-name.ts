/**
 * What a terminal obeys or does not show: controls, formats, lone surrogates, ignorable characters. And what takes
 * another number of columns on another terminal: parts of flags, syllables and emoji, more than two marks in a row.
 */
const unsafe =
  /[\p{C}\p{Zl}\p{Zp}\p{DI}\u1160-\u11ff\ud7b0-\ud7fb\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]|(?<=^|[\p{Mn}\p{Me}]{2})[\p{Mn}\p{Me}]/gu

const mark = /[\p{Mn}\p{Me}]/u

/** What takes two columns: the properties W and F of Unicode Standard Annex #11, in ranges. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u

/** No line of a terminal is longer. */
const maxLength = 1_000

/** Returns a text of a service as it may be written to a terminal: with escapes such as `\u001b`. */
export function shownName(text: string): string {
  return text
    .slice(0, maxLength)
    .normalize('NFC')
    .replace(unsafe, (character) => {
      const digits = (character.codePointAt(0) ?? 0).toString(16)
      return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
    })
}

/** Returns how many columns a shown text takes. */
export function columnsOf(shown: string): number {
  let columns = 0
  for (const character of shown) columns += widthOf(character)
  return columns
}

/** Returns as much of a shown text as fits into the columns, with an ellipsis if it does not. */
export function clip(shown: string, columns: number): string {
  if (columnsOf(shown) <= columns) return shown
  let clipped = ''
  let used = 1
  for (const character of shown) {
    used += widthOf(character)
    if (used > columns) break
    clipped += character
  }
  return columns < 1 ? '' : `${clipped}…`
}

/** Returns a shown text that takes exactly these columns. */
export function fitColumns(shown: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const clipped = clip(shown, columns)
  const space = ' '.repeat(Math.max(0, columns - columnsOf(clipped)))
  return side === 'left' ? clipped + space : space + clipped
}

function widthOf(character: string): number {
  if (character >= ' ' && character <= '~') return 1
  return mark.test(character) ? 0 : wide.test(character) ? 2 : 1
}

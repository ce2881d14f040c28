/** Characters that are shown by their code: controls, bidirectional controls, invisible ones, lone surrogates. */
const hidden =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0001}-\u{e007f}]/gu

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The most characters of a text that are shown in one line; a title or a detail has the rest. */
const maxLength = 2_000

/** The most characters of a text that are shown in several lines. */
const maxLinesLength = 100_000

/** Returns a name or a value of the service for one line: characters that could deceive the reader become visible. */
export function shownText(value: unknown, limit: number = maxLength): string {
  return cut(String(value), limit).replace(hidden, visible)
}

/** Returns a stack, or another text of several lines: as `shownText`, with its line breaks and tabs. */
export function shownLines(value: unknown): string {
  return cut(String(value), maxLinesLength).replaceAll('\r\n', '\n').replace(hidden, visibleInLines)
}

/** Returns a value of JSON for one line: strings as they are, all others as JSON. */
export function shownValue(value: unknown, limit?: number): string {
  return shownText(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), limit)
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`
}

function visibleInLines(character: string): string {
  return character === '\n' || character === '\t' ? character : visible(character)
}

function visible(character: string): string {
  return short[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

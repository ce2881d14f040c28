import { HttpError } from '../errors/http-error.ts'

/** Limits on a JSON text. */
export interface JsonTextOptions {
  /** @default 64 */
  readonly maxDepth?: number | undefined
}

/**
 * Parses a JSON text (RFC 8259) that every parser interprets alike: in UTF-8, without duplicate names in an object (RFC
 * 7493 §2.3), and not nested deeper than `maxDepth`. A byte order mark at the start is skipped.
 *
 * @throws HttpError 400 with the reason.
 */
export function parseJson(bytes: Uint8Array, { maxDepth = 64 }: JsonTextOptions = {}): unknown {
  const text = decodeUtf8(bytes)
  const value = parse(text)
  if (typeof value === 'object' && value !== null) checkStructure(text, maxDepth)
  return value
}

/**
 * Decodes UTF-8. A byte order mark at its start is omitted.
 *
 * @throws HttpError 400 if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HttpError(400, 'The body must be UTF-8.', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HttpError(400, text.trim() === '' ? 'The body is empty; expected JSON.' : 'The body must be JSON.', {
      cause,
    })
  }
}

/**
 * Finds what `JSON.parse` accepts: duplicate names and excessive depth. The text is valid JSON, so only strings and
 * brackets matter.
 */
function checkStructure(text: string, maxDepth: number): void {
  const open: (Set<string> | undefined)[] = []
  let name = ''
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        break
      case '[':
        open.push(undefined)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        name = text.slice(at, end + 1)
        at = end
        break
      }
      case ':':
        addName(open.at(-1), name)
        break
    }
    if (open.length > maxDepth) throw new HttpError(400, `The body exceeds the nesting depth of ${maxDepth}.`)
  }
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at)
    let escapes = 0
    while (text[quote - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return quote
    at = quote
  }
}

function addName(names: Set<string> | undefined, quoted: string): void {
  const name: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
  if (names?.has(name)) {
    throw new HttpError(400, `Duplicate name ${JSON.stringify(name.slice(0, 64))} in one object.`)
  }
  names?.add(name)
}

import { HttpError } from 'upkeep'

const deepest = 64
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The value of a JSON text (RFC 8259) that means the same to every reader: UTF-8 without a byte order mark, no name
 * twice in one object (RFC 7493 §2.3), at most 64 deep.
 *
 * @throws HttpError 400 that says what is wrong with it.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpError(400, 'The body is empty: it must be a JSON object.')
  const text = decode(bytes)
  const value = parse(text)
  checkStructure(text)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new HttpError(400, 'The body is not valid UTF-8.', { cause })
  }
}

function parse(text: string): unknown {
  if (text.startsWith('\uFEFF')) throw new HttpError(400, 'The body begins with a byte order mark, which JSON forbids.')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HttpError(400, 'The body is not valid JSON.', { cause })
  }
}

/** Finds in a valid JSON text what `JSON.parse` lets pass. */
function checkStructure(text: string): void {
  const open: (Set<unknown> | undefined)[] = []
  let lastString = ''
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : undefined) > deepest) {
        throw new HttpError(400, `The body is nested more than ${deepest} deep.`)
      }
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':') checkName(open.at(-1), JSON.parse(lastString))
    else lastString = token
  }
}

function checkName(names: Set<unknown> | undefined, name: string): void {
  if (names?.has(name)) {
    throw new HttpError(400, `The name ${JSON.stringify(name.slice(0, 64))} stands twice in one object.`)
  }
  names?.add(name)
}

/** A media type: `type/subtype` in lower case, and its parameters with lower-case names (RFC 9110 §8.3.1). */
export interface MediaType {
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const essenceGrammar = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*`)
const parameterGrammar = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y')

/** A regular expression needs stack for each character of a quoted value: beyond some millions it would throw. */
const longest = 65_536

/**
 * The media type of a `Content-Type` value, or `undefined` when it is malformed. The first of two like parameters
 * holds.
 */
export function parseMediaType(text: string): MediaType | undefined {
  if (text.length > longest) return undefined
  const start = essenceGrammar.exec(text)
  if (start === null) return undefined
  const parameters = new Map<string, string>()
  let at = start[0].length
  while (at < text.length) {
    parameterGrammar.lastIndex = at
    const match = parameterGrammar.exec(text)
    if (match === null) return undefined
    const [, name, plain, quoted] = match
    const key = name?.toLowerCase()
    if (key !== undefined && !parameters.has(key)) {
      parameters.set(key, plain ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'))
    }
    at = parameterGrammar.lastIndex
  }
  return { essence: (start[1] ?? '').toLowerCase(), parameters }
}

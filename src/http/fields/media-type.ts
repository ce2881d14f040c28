/** A media type: `type/subtype` in lower case, and its parameters with lower-case names (RFC 9110 §8.3.1). */
export interface MediaType {
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const essenceGrammar = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*`)
const parameterGrammar = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y')

/**
 * Longer values are malformed. The regular expression uses stack for each character of a quoted value, and would throw
 * beyond some millions.
 */
const longest = 65_536

/** Parses a `Content-Type` value. Returns `undefined` if it is malformed. Of repeated parameters the first is used. */
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

import type { ExpressPath, Layer } from './router.ts'
import { matchWith } from './router.ts'

/** Returns the source text of a pattern; for an array, of each of its patterns. */
export function textOfPattern(pattern: ExpressPath): string {
  if (typeof pattern === 'string' || pattern instanceof RegExp) return String(pattern)
  const texts = pattern.map(textOfPattern)
  return texts.length === 1 ? (texts[0] ?? '') : `(${texts.join('|')})`
}

/**
 * Returns the text of the pattern of a layer, or `undefined` if it cannot be determined. Before router 2.3 layers do
 * not store their pattern: it is found by replacing each segment of `path` and matching again. Apart from that the text
 * does not depend on the path.
 */
export function textOfLayer(layer: Layer, path: string): string | undefined {
  if (layer.slash || layer.regexp?.fast_slash) return ''
  if (layer.regexp?.fast_star) return '*'
  if (layer.regexp !== undefined) return textOfRegexp(layer.regexp, layer.keys ?? [])
  return layer.rawPath === undefined ? textByTrying(layer, path) : textOfPattern(layer.rawPath)
}

/** Joins the patterns of mounted routers and of a route. */
export function joinTemplates(texts: readonly string[]): string {
  const joined = texts.reduce((above, text) => {
    if (text === '' || text === '/') return above
    return above.replace(/\/+$/, '') + (/^[/(]/.test(text) ? text : `/${text}`)
  }, '')
  return joined === '' ? '/' : joined
}

/**
 * Returns the text of a pattern from the regular expression to which Express 4 compiles it; a regular expression of the
 * application is returned unchanged.
 */
function textOfRegexp(regexp: RegExp, keys: NonNullable<Layer['keys']>): string {
  const names = keys.map(({ name }) => name).filter((name) => typeof name === 'string')
  const source = regexp.source.startsWith('(?:^') ? regexp.source.slice(3, -1) : regexp.source
  const texts = source.split(/\|(?=\^)/).map((one) => textOfSource(one, names))
  return texts.includes(undefined) || names.length > 0 ? String(regexp) : textOfPattern(texts as string[])
}

const ending = String.raw`(?:\\\/\?)?(?:\(\?=\\\/\|\$\)|\$)?$`
const group = String.raw`\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()]*\))*\))*\)`
/** An escaped character, a parameter, a wildcard, or a literal character. */
const piece = new RegExp(String.raw`\\([/.])|\(\?:(\\\/|\\\.)?${group}\)(\??)|(\(\.\*\))|([^\\()[\]{}*+?.^$|])`, 'y')

function textOfSource(source: string, names: string[]): string | undefined {
  const body = new RegExp(String.raw`^\^([^]*?)${ending}`).exec(source)?.[1]
  if (body === undefined) return undefined
  let text = ''
  piece.lastIndex = 0
  while (piece.lastIndex < body.length) {
    const found = piece.exec(body)
    if (found === null) return undefined
    const [whole, escaped, before, optional = '', star, plain] = found
    if (escaped !== undefined || plain !== undefined) text += escaped ?? plain
    else if (star !== undefined) text += '*'
    else if (names.length === 0) return undefined
    else text += `${before?.slice(1) ?? ''}:${names.shift()}${whole.endsWith('?') ? optional : ''}`
  }
  return text
}

const trial = '~upkeep~'

function textByTrying(layer: Layer, path: string): string | undefined {
  const [matcher, other] = layer.matchers ?? []
  const match = matcher && matchWith(matcher, path)
  // A regular expression may match anything; the matchers of path-to-regexp match anything only in parameters.
  if (match === undefined || other !== undefined || matcher?.name !== 'match') return undefined
  const names = new Set(Object.keys(match.params))
  const segments = match.path.split('/')
  const texts = segments.map((segment, at) => {
    const tried = matchWith(matcher, segments.with(at, trial).join('/'))
    const name = [...names].find((each) => tried?.params[each] === trial)
    if (name !== undefined) names.delete(name)
    // The letter case of the literal is unknown, and that of the request is chosen by the client.
    return name === undefined ? segment.toLowerCase() : `:${name}`
  })
  return names.size === 0 ? texts.join('/') : undefined
}

import type { ExpressPath, Layer } from './router.ts'
import { matchWith } from './router.ts'

/** A pattern as the application wrote it; of several, each. */
export function textOfPattern(pattern: ExpressPath): string {
  if (typeof pattern === 'string' || pattern instanceof RegExp) return String(pattern)
  const texts = pattern.map(textOfPattern)
  return texts.length === 1 ? (texts[0] ?? '') : `(${texts.join('|')})`
}

/**
 * The pattern that a layer was mounted with. Nothing of a path comes into it, but where the layer has forgotten its
 * pattern (before router 2.3): then it is found by trying which parts of `path` the layer holds to. `undefined` when it
 * cannot be told.
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
 * Express 4 makes each pattern to a regular expression in which it can be recognized; one that it was given stays
 * itself.
 */
function textOfRegexp(regexp: RegExp, keys: NonNullable<Layer['keys']>): string {
  const names = keys.map(({ name }) => name).filter((name) => typeof name === 'string')
  const source = regexp.source.startsWith('(?:^') ? regexp.source.slice(3, -1) : regexp.source
  const texts = source.split(/\|(?=\^)/).map((one) => textOfSource(one, names))
  return texts.includes(undefined) || names.length > 0 ? String(regexp) : textOfPattern(texts as string[])
}

const ending = String.raw`(?:\\\/\?)?(?:\(\?=\\\/\|\$\)|\$)?$`
const piece =
  /\\([/.])|\(\?:(\\\/|\\\.)?\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()]*\))*\))*\)\)(\??)|(\(\.\*\))|([^\\()[\]{}*+?.^$|])/y

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
  // A regular expression takes what it likes; what path-to-regexp makes takes anything in its parameters only.
  if (match === undefined || other !== undefined || matcher?.name !== 'match') return undefined
  const names = new Set(Object.keys(match.params))
  const segments = match.path.split('/')
  const texts = segments.map((segment, at) => {
    const tried = matchWith(matcher, segments.with(at, trial).join('/'))
    const name = [...names].find((each) => tried?.params[each] === trial)
    if (name !== undefined) names.delete(name)
    // In which case a literal was written is not known, and that of the client is its own.
    return name === undefined ? segment.toLowerCase() : `:${name}`
  })
  return names.size === 0 ? texts.join('/') : undefined
}

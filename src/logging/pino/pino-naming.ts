import { rootName } from '../levels/loggers.ts'
import type { PinoLogger } from './pino-logger.ts'

/** Where pino keeps the bindings of a logger, as text: `,"logger":"ROOT","orderId":7`. */
const bindingsKey = 'pino.chindings'
const levelKey = 'pino.levelVal'

/** Which name the children of a logger have: their own, or that of the logger that they were made from. */
export interface PinoNaming {
  /**
   * The name that a new child was given by `child({ logger })`. Pino would only add it to the one that the child has from
   * its parent, which is taken away: a record has a field once.
   */
  nameChild(child: PinoLogger): string | undefined
  nameOf(logger: PinoLogger): string
  /** Whether pino gave a child a level of its own, which from then on does not follow its parent's. */
  hasOwnLevel(child: PinoLogger): boolean
}

export function createPinoNaming(): PinoNaming {
  const names = new WeakMap<object, string>()
  let bindingsSymbol: symbol | undefined
  let levelSymbol: symbol | undefined

  function nameOf(logger: object): string {
    for (let at: object | null = logger; at !== null; at = Object.getPrototypeOf(at)) {
      const name = names.get(at)
      if (name !== undefined) return name
    }
    return rootName
  }

  return {
    nameOf,
    nameChild(child) {
      bindingsSymbol ??= symbolOf(child, bindingsKey)
      const key = bindingsSymbol
      const all = key && textAt(child, key)
      const inherited = key && textAt(Object.getPrototypeOf(child), key)
      if (key === undefined || all === undefined || inherited === undefined || !all.startsWith(inherited))
        return undefined
      const own = all.slice(inherited.length)
      if (!own.includes('"logger":"')) return undefined
      const { logger: name } = parseBindings(own)
      if (typeof name !== 'string') return undefined
      names.set(child, name)
      Object.assign(child, { [key]: withoutLogger(inherited) + own })
      return name
    },

    hasOwnLevel(child) {
      levelSymbol ??= symbolOf(child, levelKey)
      return levelSymbol !== undefined && Object.hasOwn(child, levelSymbol)
    },
  }
}

/** One of pino's own symbols, which it has on each logger or on one that it was made from. */
function symbolOf(logger: object, description: string): symbol | undefined {
  for (let at: object | null = logger; at !== null; at = Object.getPrototypeOf(at)) {
    const symbol = Object.getOwnPropertySymbols(at).find((each) => each.description === description)
    if (symbol !== undefined) return symbol
  }
  return undefined
}

function textAt(logger: object, key: symbol): string | undefined {
  const text = (logger as Readonly<Record<symbol, unknown>>)[key]
  return typeof text === 'string' ? text : undefined
}

function withoutLogger(bindings: string): string {
  const { logger } = parseBindings(bindings)
  const fragment = `,"logger":${JSON.stringify(logger)}`
  for (let at = bindings.indexOf(fragment); at >= 0; at = bindings.indexOf(fragment, at + 1)) {
    const rest = bindings.slice(0, at) + bindings.slice(at + fragment.length)
    // The same words may stand inside of another binding.
    if (parseBindings(rest)['logger'] === undefined) return rest
  }
  return bindings
}

function parseBindings(bindings: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(`{${bindings.slice(1)}}`)
  } catch {
    return {}
  }
}

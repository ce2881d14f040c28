import { rootName } from '../levels/loggers.ts'

/** Pino's symbol for the bindings of a logger, as text: `,"logger":"ROOT","orderId":7`. */
const bindingsKey = 'pino.chindings'
const levelKey = 'pino.levelVal'

/** The names of the children of a logger: their own, or that of the logger from which they were created. */
export interface PinoNaming {
  /**
   * Returns the name of a new child from `child({ logger })`, if present. Removes the name of its parent from its
   * bindings, because pino would write both, and writes its own as the field of a record.
   */
  nameChild(child: object): string | undefined
  nameOf(logger: object): string
  /** Whether a child has its own level, which does not follow that of its parent. */
  hasOwnLevel(child: object): boolean
}

/** Creates the names of the children of a logger; `loggerField` is the field of a record that has the name of the logger. */
export function createPinoNaming(loggerField: string): PinoNaming {
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
      const renamed = loggerField === 'logger' ? own : `${fragmentOf(loggerField, name)}${withoutField(own, 'logger')}`
      Object.assign(child, { [key]: withoutField(inherited, loggerField) + renamed })
      return name
    },

    hasOwnLevel(child) {
      levelSymbol ??= symbolOf(child, levelKey)
      return levelSymbol !== undefined && Object.hasOwn(child, levelSymbol)
    },
  }
}

/** Returns one of pino's symbols, which is on the logger or on a prototype. */
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

function fragmentOf(field: string, value: unknown): string {
  return `,"${field}":${JSON.stringify(value)}`
}

function withoutField(bindings: string, field: string): string {
  const fragment = fragmentOf(field, parseBindings(bindings)[field])
  for (let at = bindings.indexOf(fragment); at >= 0; at = bindings.indexOf(fragment, at + 1)) {
    const rest = bindings.slice(0, at) + bindings.slice(at + fragment.length)
    // The same text may be part of another binding.
    if (parseBindings(rest)[field] === undefined) return rest
  }
  return bindings
}

/** Parses a part of a line: `,"logger":"ROOT","orderId":7`. */
export function parseBindings(bindings: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(`{${bindings.slice(1)}}`)
  } catch {
    return {}
  }
}

import { rootName } from '../levels/loggers.ts'

/** The used part of a logger of pino. */
export interface PinoLogger {
  level: string
  readonly levelVal: number
  readonly levels: { readonly values: Readonly<Record<string, number>> }
  onChild(child: PinoLogger): void
  readonly warn?: ((details: object, message: string) => void) | undefined
  readonly error?: ((details: object, message: string) => void) | undefined
}

/** The minimum number of members before garbage-collected ones are removed. */
const minLimit = 256

/** The loggers with one name, whose levels are set one by one. */
interface Namesakes {
  /** The name of the logger from which the first of them was created. */
  readonly creator: string
  members: WeakRef<PinoLogger>[]
  /** The number of members at which garbage-collected ones are removed. */
  limit: number
  /** The level that was last set for all of them. */
  level: string | undefined
}

/**
 * The children of a logger of pino by name, referenced weakly. A child without its own name and level, such as one per
 * request, follows the logger from which it was created, and is not tracked.
 */
export class PinoFamily {
  readonly #naming: PinoNaming
  readonly #byName = new Map<string, Namesakes>()

  /** `loggerField` is the field of a record that has the name of the logger. */
  constructor(loggerField = 'logger') {
    this.#naming = createPinoNaming(loggerField)
  }

  /** Adds a child that pino has just created. */
  adopt(child: PinoLogger): void {
    const ownName = this.#naming.nameChild(child)
    if (ownName === undefined && !this.#naming.hasOwnLevel(child)) return
    const parent: PinoLogger = Object.getPrototypeOf(child)
    const parentName = this.#naming.nameOf(parent)
    const name = ownName ?? parentName
    const namesakes = this.#byName.get(name) ?? this.#create(name, parentName)
    if (namesakes.members.length >= namesakes.limit) removeCollected(namesakes)
    namesakes.members.push(new WeakRef(child))
    if (ownName === undefined || child.level !== parent.level) return
    const level = namesakes.level ?? this.#levelAbove(name)
    if (level !== undefined && level !== child.level) child.level = level
  }

  /**
   * Sets the level of current and future loggers with a name. A logger with another level than `before` is not changed.
   */
  setLevel(name: string, level: string, before: string | undefined): void {
    const namesakes = this.#byName.get(name)
    if (namesakes === undefined) return
    for (const member of live(namesakes)) if (member.level === before) member.level = level
    namesakes.level = level
  }

  names(): readonly string[] {
    for (const [name, { level }] of this.#byName) {
      if (level === undefined && this.member(name) === undefined) this.#byName.delete(name)
    }
    return [...this.#byName.keys()].filter((name) => name !== rootName)
  }

  /** Returns the first logger with a name that has not been garbage-collected. */
  member(name: string): PinoLogger | undefined {
    const namesakes = this.#byName.get(name)
    return namesakes && live(namesakes).next().value
  }

  /** Returns the level that was set for a name, also if no logger has it now. */
  levelSetFor(name: string): string | undefined {
    return this.#byName.get(name)?.level
  }

  creatorOf(name: string): string | undefined {
    return this.#byName.get(name)?.creator
  }

  #create(name: string, creator: string): Namesakes {
    const namesakes: Namesakes = { creator, members: [], limit: minLimit, level: undefined }
    this.#byName.set(name, namesakes)
    return namesakes
  }

  /** Returns the level that a logger inherits by its name. */
  #levelAbove(name: string): string | undefined {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const above = this.#byName.get(name.slice(0, dot))
      if (above !== undefined) return above.level
    }
    return undefined
  }
}

function* live({ members }: Namesakes): Generator<PinoLogger, undefined> {
  for (const reference of members) {
    const member = reference.deref()
    if (member !== undefined) yield member
  }
}

function removeCollected(namesakes: Namesakes): void {
  namesakes.members = namesakes.members.filter((member) => member.deref() !== undefined)
  namesakes.limit = Math.max(minLimit, 2 * namesakes.members.length)
}

/** Pino's symbol for the bindings of a logger, as text: `,"logger":"ROOT","orderId":7`. */
const bindingsKey = 'pino.chindings'
const levelKey = 'pino.levelVal'

/** The names of the children of a logger: their own, or that of the logger from which they were created. */
interface PinoNaming {
  /**
   * Returns the name of a new child from `child({ logger })`, if present. Removes the name of its parent from its
   * bindings, because pino would write both, and writes its own as the field of a record.
   */
  nameChild(child: PinoLogger): string | undefined
  nameOf(logger: PinoLogger): string
  /** Whether a child has its own level, which does not follow that of its parent. */
  hasOwnLevel(child: PinoLogger): boolean
}

function createPinoNaming(loggerField: string): PinoNaming {
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

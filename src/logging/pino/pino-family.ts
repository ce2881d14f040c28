import { rootName } from '../levels/loggers.ts'
import { createPinoNaming, type PinoNaming } from './pino-naming.ts'

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

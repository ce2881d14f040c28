import { rootName } from '../levels/loggers.ts'
import type { PinoLogger } from './pino-logger.ts'
import { createPinoNaming } from './pino-naming.ts'

/** So many may be gathered before those are let go that nobody uses any more. */
const fewest = 256

/** The loggers of one name that a level has to be given to, one by one. */
interface Namesakes {
  readonly madeFrom: string
  members: WeakRef<PinoLogger>[]
  /** How many there may be before they are looked through. */
  limit: number
  /** The level that was last given to all of them. */
  level: string | undefined
}

/**
 * The children of a logger of pino by their names, as long as the application keeps them. A child without a name and
 * without a level of its own, such as one a request, follows the logger that it was made from, and is not kept track of.
 */
export class PinoFamily {
  readonly #naming = createPinoNaming()
  readonly #byName = new Map<string, Namesakes>()

  /** Takes in a child that pino has just made. */
  adopt(child: PinoLogger): void {
    const given = this.#naming.nameChild(child)
    if (given === undefined && !this.#naming.hasOwnLevel(child)) return
    const parent: PinoLogger = Object.getPrototypeOf(child)
    const parentName = this.#naming.nameOf(parent)
    const name = given ?? parentName
    const namesakes = this.#byName.get(name) ?? this.#begin(name, parentName)
    if (namesakes.members.length >= namesakes.limit) sweep(namesakes)
    namesakes.members.push(new WeakRef(child))
    if (given === undefined || child.level !== parent.level) return
    const level = namesakes.level ?? this.#levelAbove(name)
    if (level !== undefined && level !== child.level) child.level = level
  }

  /** Gives the loggers of a name a level, and those that are still to come. A member with another level than `before` keeps it. */
  give(name: string, level: string, before: string | undefined): void {
    const namesakes = this.#byName.get(name)
    if (namesakes === undefined) return
    for (const member of this.members(name)) if (member.level === before) member.level = level
    namesakes.level = level
  }

  names(): readonly string[] {
    for (const [name, { level }] of this.#byName) {
      if (level === undefined && this.members(name).length === 0) this.#byName.delete(name)
    }
    return [...this.#byName.keys()].filter((name) => name !== rootName)
  }

  members(name: string): readonly PinoLogger[] {
    return this.#byName.get(name)?.members.flatMap((member) => member.deref() ?? []) ?? []
  }

  /** The level that was given to a name which nobody has now. */
  levelGiven(name: string): string | undefined {
    return this.#byName.get(name)?.level
  }

  madeFrom(name: string): string | undefined {
    return this.#byName.get(name)?.madeFrom
  }

  #begin(name: string, madeFrom: string): Namesakes {
    const namesakes: Namesakes = { madeFrom, members: [], limit: fewest, level: undefined }
    this.#byName.set(name, namesakes)
    return namesakes
  }

  /** A logger whose name says that it is below another has what that was given. */
  #levelAbove(name: string): string | undefined {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const above = this.#byName.get(name.slice(0, dot))
      if (above !== undefined) return above.level
    }
    return undefined
  }
}

function sweep(namesakes: Namesakes): void {
  namesakes.members = namesakes.members.filter((member) => member.deref() !== undefined)
  namesakes.limit = Math.max(fewest, 2 * namesakes.members.length)
}

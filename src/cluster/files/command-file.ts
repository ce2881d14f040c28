import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { failure, withErrorCode } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import type { ClusterCommand } from '../cluster-host.ts'
import type { GroupLock } from './group-lock.ts'
import { readBytes, withOwnFile, writeWhole } from './safe-files.ts'

export const commandsName = 'commands'

/** The latest of each kind, logger and slots. Beyond that the oldest are left out. */
const maxCommands = 1000
const maxBytes = 32 * 1024 * 1024
/** Milliseconds. */
const lockWait = 1000

/**
 * The operations for all members of a group. They remain in the file, since members that join later need the log
 * levels. The number of the latest one is the file's time of modification, in seconds, so that one `stat` shows whether
 * there is a new one.
 */
export class CommandFile {
  readonly #directory: string
  readonly #path: string
  readonly #lock: GroupLock
  readonly #clock: Clock
  readonly #report: Report
  /** The file's time of modification when it was read. */
  #stamp = 0
  #seen = 0
  /** The latest command when the member joined. */
  #joinedAt: number | undefined

  constructor(directory: string, lock: GroupLock, clock: Clock, report: Report) {
    this.#directory = directory
    this.#path = join(directory, commandsName)
    this.#lock = lock
    this.#clock = clock
    this.#report = report
  }

  /** Sends a command to all members. Throws if it is invalid or cannot be written. */
  append(command: ClusterCommand): void {
    const valid = parseCommand(command)
    const done = this.#lock.run(lockWait, (held) => {
      const before = this.#readOrNone()
      // Not from 1 in a new file: its time of modification must differ from that of any before.
      const number = Math.max((before.at(-1)?.number ?? 0) + 1, Math.floor(this.#clock.wallTime() / 1000))
      const others = before.filter((each) => keyOf(each.command) !== keyOf(valid))
      const commands = [...others, { number, command: valid }].slice(-maxCommands)
      held.check()
      writeWhole(this.#directory, commandsName, Buffer.from(JSON.stringify(commands)), number)
    })
    if (done === undefined) throw failure('UPKEEP_ECLUSTER', `${this.#directory}: another process holds the lock`)
  }

  /**
   * Returns the commands since the last call, in order. The first call after `join` returns the log levels that are
   * set for all members; levels that have ended are left out. Throws nothing.
   */
  poll(): readonly ClusterCommand[] {
    const stamp = this.#readStamp()
    if (stamp === this.#stamp) return []
    this.#stamp = stamp
    const commands = this.#readOrNone()
    const latest = commands.at(-1)?.number ?? 0
    this.#joinedAt ??= latest
    const unseen = commands.filter((each) => each.number > this.#seen && this.#concernsThisMember(each))
    this.#seen = latest
    return unseen.map(({ command }) => command)
  }

  /** Called when a member joins, under the lock: of the commands so far it needs the log levels only. */
  markJoined(): void {
    this.#stamp = 0
    this.#seen = 0
    this.#joinedAt = this.#readOrNone().at(-1)?.number ?? 0
  }

  #concernsThisMember({ number, command }: NumberedCommand): boolean {
    if (number > (this.#joinedAt ?? 0)) return true
    if (command.kind !== 'log-level' || command.slots !== undefined || command.level === undefined) return false
    return command.until === undefined || command.until > this.#clock.wallTime()
  }

  #readStamp(): number {
    try {
      return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    } catch {
      return 0
    }
  }

  #readOrNone(): readonly NumberedCommand[] {
    try {
      const text = withOwnFile(this.#path, maxBytes, (fd, { size }) => readBytes(fd, 0, size).toString())
      return text === undefined ? [] : parseCommands(text)
    } catch (error) {
      this.#report(`cluster: ${this.#path} is refused`, error)
      return []
    }
  }
}

/** Two commands with the same key: the later one replaces the earlier one. */
function keyOf(command: ClusterCommand): string {
  const logger = command.kind === 'log-level' ? command.logger : undefined
  return JSON.stringify([command.kind, logger, command.slots])
}

/** A command and its number, which grows with each. */
interface NumberedCommand {
  readonly number: number
  readonly command: ClusterCommand
}

const maxText = 1024
const maxSlots = 1024

/** Reads a list of commands from JSON. Throws an error with the reason if one is invalid. */
function parseCommands(text: string): readonly NumberedCommand[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw invalid('expected a list of commands')
  const commands = list.map((each: unknown) => {
    const { number, command } = fieldsOf(each)
    if (!Number.isSafeInteger(number)) throw invalid('expected a number')
    return { number: Number(number), command: parseCommand(command) }
  })
  if (commands.some(({ number }, at) => number <= (commands[at - 1]?.number ?? 0))) {
    throw invalid('expected ascending numbers')
  }
  return commands
}

/** Returns a command with its known properties. Throws if one of them is invalid. */
function parseCommand(value: unknown): ClusterCommand {
  const { kind, logger, level, until, reason, slots: list } = fieldsOf(value)
  const slots = list === undefined ? {} : { slots: expectSlots(list) }
  if (kind === 'shutdown') return { kind, reason: expectText('reason', reason), ...slots }
  if (kind === 'requests') return { kind, until: expectNumber('until', until), ...slots }
  if (kind !== 'log-level') {
    throw invalid(`kind: expected "log-level", "shutdown" or "requests", received ${String(kind)}`)
  }
  return {
    kind,
    logger: expectText('logger', logger),
    level: level === undefined ? undefined : expectText('level', level),
    until: until === undefined ? undefined : expectNumber('until', until),
    ...slots,
  }
}

/** Returns the own properties of an object: `__proto__` of JSON is one of them, and is not read. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw invalid('expected an object')
  return Object.assign(Object.create(null), value)
}

function expectText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= maxText) return value
  throw invalid(`${name}: expected a string of at most ${maxText} characters`)
}

function expectNumber(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(`${name}: expected a number, received ${String(value)}`)
}

function expectSlots(value: unknown): readonly number[] {
  if (Array.isArray(value) && value.length <= maxSlots && value.every(isSlot)) return value
  throw invalid(`slots: expected at most ${maxSlots} numbers of members`)
}

function isSlot(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function invalid(message: string): TypeError {
  return withErrorCode(new TypeError(message), 'UPKEEP_ECLUSTER')
}

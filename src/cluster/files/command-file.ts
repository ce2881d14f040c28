import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { ClusterCommand } from '../cluster-host.ts'
import type { Commands } from './group-interface.ts'
import type { GroupLock } from './group-lock.ts'
import { type NumberedCommand, parseCommand, parseCommands } from './parse-command.ts'
import { readBytes, withOwnFile, writeWhole } from './safe-files.ts'

export const commandsName = 'commands'

/** The latest of each kind, logger and slots. Beyond that the oldest are left out. */
const maxCommands = 1000
const maxBytes = 32 * 1024 * 1024
/** Milliseconds. */
const lockWait = 1000

/**
 * The commands of a group. They remain in the file, since members that join later need the log levels. The number of
 * the latest one is the file's time of modification, in seconds, so that one `stat` shows whether there is a new one.
 */
export class CommandFile implements Commands {
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
    if (done === undefined) throw new Error(`${this.#directory}: another process holds the lock`)
  }

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

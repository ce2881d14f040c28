import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import type { MemberIdentity, MemberRecord, MemberState, MergeDead } from '../member-image.ts'
import { CommandFile, commandsName } from './command-file.ts'
import { baseName, encodeBase } from './content-file.ts'
import type { ReadingDepth } from './file-reader.ts'
import { checkPrivateDirectory, preparePrivateDirectory } from './group-directory.ts'
import { GroupLock, type HeldLock } from './group-lock.ts'
import { drain, type GroupContent, GroupReader, type GroupReading, maxMembers } from './group-reader.ts'
import { currentThread, machineName, markGroup, placeOfGroup } from './machine.ts'
import { MemberFile } from './member-file.ts'
import { foreignNames, isGroupDirectory } from './remove-group.ts'
import { RequestFiles, requestsName } from './request-files.ts'
import { isUnfinished, writeWhole } from './safe-files.ts'

/** Milliseconds. */
const [minute, hour] = [60_000, 3_600_000]
/** Longer than anyone holds the lock. */
const joinWait = 12_000
const maxText = 1024

interface GroupOptions {
  /** The directory of the group. It is created with mode 0700, its parents too. */
  readonly directory: string
  readonly clock: Clock
  /** Called with what goes wrong beside a call: leftovers that cannot be removed, an unreadable command file. */
  readonly report: Report
  /** How long a thread of a live process must have ended before its values are merged into the base. @default 1 */
  readonly settleSeconds?: number
}

export interface JoinOptions {
  /** At most 1,024 characters are kept. */
  readonly application: string
  /** At most 1,024 characters are kept. */
  readonly version: string | undefined
  readonly state: MemberState
  /** Merges the members that have ended. */
  readonly merge: MergeDead
}

/** The files that the members of a group write and read. */
export class Group {
  readonly directory: string
  readonly commands: CommandFile
  readonly requests: RequestFiles
  readonly #clock: Clock
  readonly #report: Report
  readonly #settleSeconds: number
  readonly #lock: GroupLock
  readonly #reader: GroupReader
  #refreshedAt: number

  /**
   * Opens the group of a directory, which need not exist. Throws an error that says why it cannot be used: another
   * user's, a symbolic link, open to others, or in use in another pid namespace.
   */
  constructor({ directory, clock, report, settleSeconds = 1 }: GroupOptions) {
    this.directory = resolve(directory)
    this.#clock = clock
    this.#report = report
    this.#settleSeconds = settleSeconds
    this.#lock = new GroupLock(this.directory, clock)
    this.#reader = new GroupReader(this.directory, clock)
    this.commands = new CommandFile(this.directory, this.#lock, clock, report)
    this.requests = new RequestFiles(this.directory, clock, report)
    this.#refreshedAt = clock.monotonicTime()
    checkPrivateDirectory(this.directory)
    if (placeOfGroup(this.directory) === 'other pid namespace') this.#checkPlace(drain(this.#reader.read()))
  }

  /**
   * Creates the file of a member, with the lowest slot that is free. A group without live members begins anew;
   * otherwise dead members are folded first. Throws if the directory cannot be used.
   */
  join(options: JoinOptions): MemberFile {
    for (let attempt = 1; ; attempt++) {
      preparePrivateDirectory(this.directory)
      // What is read here is not read again under the lock.
      this.read()
      try {
        const done = this.#lock.run(joinWait, (held) => this.#join(options, held))
        if (done !== undefined) return done.result
        throw failure('UPKEEP_ECLUSTER', `${this.directory}: another process holds the lock`)
      } catch (error) {
        // Someone has removed the directory, which had no live members.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error
      }
    }
  }

  /** Reads all members and the base. Only what has changed is read again. Throws nothing. */
  read(): GroupContent {
    return drain(this.reading())
  }

  /** Like `read`; yields between pieces of work of about a millisecond. */
  *reading(depth?: ReadingDepth): Generator<undefined, GroupContent> {
    const { members, base, refused } = yield* this.#reader.read(depth)
    return { members, base, refused }
  }

  /**
   * Merges members that have ended into the base, and removes their files. Returns their number; 0 also if another
   * member holds the lock. Throws if the base cannot be written: nothing is lost then.
   */
  foldDead(merge: MergeDead): number {
    return this.#lock.run(0, (held) => this.#fold(drain(this.#reader.read()), merge, held))?.result ?? 0
  }

  #join({ application, version, state, merge }: JoinOptions, held: HeldLock): MemberFile {
    this.#checkContent()
    this.#removeLeftovers()
    const reading = drain(this.#reader.read())
    this.#checkPlace(reading)
    if (!reading.files.some(({ isAlive }) => isAlive)) this.#beginAnew(reading, held)
    else this.#tryToFold(reading, merge, held)
    markGroup(this.directory)
    this.commands.markJoined()
    const identity: MemberIdentity = {
      slot: lowestFree(new Set(this.#reader.listMembers().map((each) => each.slot))),
      incarnation: randomUUID(),
      ...currentThread(),
      parent: process.ppid,
      threadId,
      joinedAt: this.#clock.wallTime() / 1000,
      application: application.slice(0, maxText),
      version: version?.slice(0, maxText),
    }
    held.check()
    return new MemberFile(this.directory, identity, state, this.#clock, () => this.#refresh())
  }

  /** A directory of something else is not used, since files in it are removed. */
  #checkContent(): void {
    const [foreign] = isGroupDirectory(this.directory) ? [] : foreignNames(this.directory)
    if (foreign !== undefined)
      throw failure(
        'UPKEEP_ECLUSTER',
        `${this.directory}: expected the directory of a group, found ${JSON.stringify(foreign)} in it`,
      )
  }

  /** Pids of another namespace mean nothing here: members there are alive as long as they write. */
  #checkPlace({ files }: GroupReading): void {
    if (placeOfGroup(this.directory) !== 'other pid namespace' || !files.some(({ isAlive }) => isAlive)) return
    throw failure(
      'UPKEEP_ECLUSTER',
      `${this.directory}: used by processes of another pid namespace, such as another container`,
    )
  }

  #beginAnew({ files }: GroupReading, held: HeldLock): void {
    held.check()
    for (const name of [...files.map((file) => file.name), baseName, commandsName, requestsName]) this.#remove(name)
  }

  #tryToFold(reading: GroupReading, merge: MergeDead, held: HeldLock): void {
    try {
      this.#fold(reading, merge, held)
    } catch (error) {
      this.#report(`cluster: failed to merge ended members in ${this.directory}`, error)
    }
  }

  #fold({ members, files, base, folded, isBaseNewer }: GroupReading, merge: MergeDead, held: HeldLock): number {
    const dead = isBaseNewer ? [] : members.filter((member) => this.#isSettled(member))
    const now = this.#clock.wallTime()
    const contained = new Set(folded.map(({ incarnation }) => incarnation))
    if (dead.length > 0) {
      const present = new Set(files.map(({ incarnation }) => incarnation))
      const kept = folded.filter(({ incarnation, time }) => present.has(incarnation) || Math.abs(now - time) < minute)
      const added = dead.map(({ identity: { incarnation } }) => ({ incarnation, time: now }))
      const bytes = encodeBase(merge(base, dead), [...kept, ...added], now)
      held.check()
      writeWhole(this.directory, baseName, bytes)
      for (const { incarnation } of added) contained.add(incarnation)
    }
    for (const { name, incarnation } of files) {
      if (incarnation !== undefined && contained.has(incarnation)) this.#remove(name)
    }
    return dead.length
  }

  /**
   * Returns whether a member has ended, and the other threads of its process have written since: they show the values
   * of the process from then on.
   */
  #isSettled({ isAlive, isProcessAlive, age }: MemberRecord): boolean {
    return !isAlive && (!isProcessAlive || age >= this.#settleSeconds)
  }

  /** Removes what was not completed by processes that were killed meanwhile. */
  #removeLeftovers(): void {
    for (const name of readdirSync(this.directory).filter(isUnfinished)) {
      const stats = statSync(join(this.directory, name), { throwIfNoEntry: false })
      if (stats !== undefined && Math.abs(this.#clock.wallTime() - stats.mtimeMs) > minute) this.#remove(name)
    }
  }

  /** Once per hour: systems remove files of temporary directories that have not been touched for days. */
  #refresh(): void {
    const now = this.#clock.monotonicTime()
    if (now - this.#refreshedAt < hour) return
    this.#refreshedAt = now
    for (const name of [machineName, baseName]) {
      try {
        utimesSync(join(this.directory, name), new Date(), new Date())
      } catch {
        // There is no base yet.
      }
    }
  }

  #remove(name: string): void {
    // What is there may be a directory.
    rmSync(join(this.directory, name), { force: true, recursive: true })
  }
}

function lowestFree(slots: ReadonlySet<number>): number {
  for (let slot = 0; slot < maxMembers; slot++) if (!slots.has(slot)) return slot
  throw failure('UPKEEP_ECLUSTER', `more than ${maxMembers} members`)
}

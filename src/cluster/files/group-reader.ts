import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { MemberIdentity, MemberImage, MemberRecord } from '../member-image.ts'
import { baseName } from './content-file.ts'
import { DefinitionDecoder } from './definition-log.ts'
import type { FoldedMember } from './file-about.ts'
import { FileReader, type FileReading, type ReadingDepth } from './file-reader.ts'
import { currentMachine, isProcessRunning, isThreadRunning, type Place, placeOfGroup } from './machine.ts'

const suffix = '.member'
/** More files are refused: reading them would cost too much. */
export const maxMembers = 4096
/** Seconds of silence after which someone is taken for dead whose process cannot be looked for. */
const silence = { ofOtherNamespace: 10, ofRefusedFile: 60 } as const

/** What the members have written. */
export interface GroupContent {
  /** Sorted by slot. Without members whose values the base contains. */
  readonly members: readonly MemberRecord[]
  /** The values of members that have ended; `undefined` if there are none. */
  readonly base: MemberImage | undefined
  /** Files that could not be read. */
  readonly refused: readonly RefusedFile[]
}

/** A file of a group that is not merged. */
export interface RefusedFile {
  /** Its name in the directory. */
  readonly file: string
  readonly reason: string
}

/** What is in the directory of a group. */
export interface GroupReading extends GroupContent {
  /** All files of members, those that are refused or in the base too. */
  readonly files: readonly FoundFile[]
  /** The members whose values the base contains. */
  readonly folded: readonly FoldedMember[]
  /** Whether there is a base of a newer version, which must stay. */
  readonly isBaseNewer: boolean
}

interface FoundFile {
  readonly name: string
  readonly slot: number
  readonly incarnation: string | undefined
  readonly isAlive: boolean
}

/** Reads the files of a group again and again: only what has changed. */
export class GroupReader {
  readonly #directory: string
  readonly #clock: Clock
  readonly #decoder = new DefinitionDecoder()
  readonly #machine = currentMachine()
  readonly #readers = new Map<string, FileReader>()

  constructor(directory: string, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  /** Reads members first, then the base: a member that is folded meanwhile is in the base. */
  *read(depth: ReadingDepth = 'values'): Generator<undefined, GroupReading> {
    const place = placeOfGroup(this.#directory, this.#machine)
    const names = this.listMembers()
    const refused: RefusedFile[] = []
    const files: FoundFile[] = []
    const records: MemberRecord[] = []
    for (const { name, slot } of names.slice(0, maxMembers)) {
      const reading = yield* this.#readFile(name, depth, refused)
      yield
      if (reading === 'none') continue
      const identity = reading === 'refused' ? undefined : identityIn(reading, slot)
      if (reading === 'refused' || identity === undefined) {
        if (reading !== 'refused') refused.push({ file: name, reason: 'written for another name' })
        files.push({ name, slot, incarnation: undefined, isAlive: this.#isRecent(name) })
        continue
      }
      const { isAlive, record } = this.#judge(identity, reading, place)
      files.push({ name, slot, incarnation: identity.incarnation, isAlive })
      if (record !== undefined) records.push(record)
    }
    for (const { name } of names.slice(maxMembers))
      refused.push({ file: name, reason: `more than ${maxMembers} files` })
    const base = yield* this.#readFile(baseName, 'values', refused)
    const baseReading = typeof base === 'object' && base.about.kind === 'base' ? base : undefined
    const folded = baseReading?.about.kind === 'base' ? baseReading.about.folded : []
    const contained = new Set(folded.map(({ incarnation }) => incarnation))
    this.#forget(new Set([baseName, ...files.map(({ name }) => name)]))
    return {
      members: records.filter(({ identity }) => !contained.has(identity.incarnation)),
      base: baseReading?.values?.image,
      refused,
      files,
      folded,
      isBaseNewer: baseReading !== undefined && baseReading.values === undefined,
    }
  }

  /** Returns the files of members by slot. A directory that does not exist is a group without members. */
  listMembers(): readonly { readonly name: string; readonly slot: number }[] {
    try {
      return readdirSync(this.#directory)
        .filter(isMemberName)
        .map((name) => ({ name, slot: slotOf(name) }))
        .sort((a, b) => a.slot - b.slot)
    } catch {
      return []
    }
  }

  *#readFile(
    name: string,
    depth: ReadingDepth,
    refused: RefusedFile[],
  ): Generator<undefined, FileReading | 'none' | 'refused'> {
    const reader = this.#readers.get(name) ?? new FileReader(join(this.#directory, name), this.#decoder)
    this.#readers.set(name, reader)
    try {
      const reading = yield* reader.read(depth)
      if (reading?.reason !== undefined) refused.push({ file: name, reason: reading.reason })
      return reading ?? 'none'
    } catch (error) {
      refused.push({ file: name, reason: error instanceof Error ? error.message : String(error) })
      return 'refused'
    }
  }

  #judge(identity: MemberIdentity, { time, values }: FileReading, place: Place) {
    const age = Math.max(0, (this.#clock.wallTime() - time) / 1000)
    const isProcessAlive =
      place === 'here' ? isProcessRunning(identity, age) : place !== 'earlier boot' && age < silence.ofOtherNamespace
    const isThreadAlive = isProcessAlive && (place !== 'here' || isThreadRunning(identity, age))
    const isAlive = isThreadAlive && values?.state.isFinal !== true
    return { isAlive, record: values && { identity, isAlive, isProcessAlive, age, ...values } }
  }

  #isRecent(name: string): boolean {
    try {
      const { mtimeMs } = statSync(join(this.#directory, name))
      return Math.abs(this.#clock.wallTime() - mtimeMs) < silence.ofRefusedFile * 1000
    } catch {
      return false
    }
  }

  #forget(names: ReadonlySet<string>): void {
    let definitions = 0
    for (const [name, reader] of this.#readers) {
      if (names.has(name)) definitions += reader.definitionCount
      else this.#readers.delete(name)
    }
    this.#decoder.trim(2 * definitions + 1000)
  }
}

/** Returns the result of a reading without its pauses. */
export function drain<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Returns whether a name is one of a member's file. */
export function isMemberName(name: string): boolean {
  return Number.isSafeInteger(slotOf(name)) && slotOf(name) >= 0
}

/** Returns the number in a member's name; NaN for other names. */
function slotOf(name: string): number {
  const digits = name.slice(0, -suffix.length)
  return name.endsWith(suffix) && String(Number(digits)) === digits ? Number(digits) : Number.NaN
}

/** Returns who wrote a file, if it has the name that belongs to it. */
function identityIn({ about }: FileReading, slot: number): MemberIdentity | undefined {
  return about.kind === 'member' && about.identity.slot === slot ? about.identity : undefined
}

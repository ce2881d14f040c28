import { closeSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import { currentThread, isProcessRunning, isThreadRunning, type ThreadKey } from './machine.ts'
import { createUnfinished, readBytes, withOwnFile, writeAll } from './safe-files.ts'

/** Milliseconds. What is done under the lock is synchronous and takes much less. */
const maxHeld = 10_000
const maxPause = 100
/** How many locks of earlier holders remain, for those who were interrupted while they looked at them. */
const keptLocks = 4
const prefix = 'lock-'
const releasedSuffix = '-released'

/** The lock while it is held. */
export interface HeldLock {
  /** Throws if another has taken the lock, because it was held for 10 s: for a process that was stopped meanwhile. */
  check(): void
}

/**
 * The lock of a group: files `lock-<n>`, of which the highest number holds. Who finds it released, or its holder dead,
 * creates the next one, and holds it unless there is a higher one by then.
 */
export class GroupLock {
  readonly #directory: string
  readonly #clock: Clock

  constructor(directory: string, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  /**
   * Calls a function while no other thread holds the lock. Waits about so many milliseconds for it, then returns
   * `undefined`.
   */
  run<T>(wait: number, call: (held: HeldLock) => T): { readonly result: T } | undefined {
    // Longer and longer: many who wait would take the time of the one who holds it.
    for (let waited = 0, longest = 2; ; longest = Math.min(1.5 * longest, maxPause)) {
      const number = this.#acquire()
      if (number !== undefined) return { result: this.#callHolding(number, call) }
      if (waited >= wait) return undefined
      const pause = longest * (0.5 + Math.random() / 2)
      pauseThread(pause)
      waited += pause
    }
  }

  #callHolding<T>(number: number, call: (held: HeldLock) => T): T {
    const name = nameOf(number)
    const check = () => {
      if (this.#list().at(-1)?.name !== name)
        throw failure('UPKEEP_ECLUSTER', `${this.#directory}: another process has taken the lock`)
    }
    try {
      return call({ check })
    } finally {
      this.#release(name)
    }
  }

  #acquire(): number | undefined {
    const highest = this.#list().at(-1)
    if (highest !== undefined && !this.#isFree(highest.name)) return undefined
    const number = (highest?.number ?? 0) + 1
    if (!this.#create(nameOf(number))) return undefined
    const locks = this.#list()
    // A lock that it succeeds is still there, unless the directory is another one by now.
    const isInPlace = highest === undefined || locks.some((lock) => lock.number === highest.number)
    if (locks.at(-1)?.name !== nameOf(number) || !isInPlace) {
      this.#remove(nameOf(number))
      return undefined
    }
    for (const lock of locks) if (lock.number < number - keptLocks) this.#remove(lock.name)
    return number
  }

  /** Returns the locks by ascending number. What is released follows what has the same number. */
  #list(): readonly LockFile[] {
    return readdirSync(this.#directory)
      .filter(isLockName)
      .map((name) => ({ name, number: numberOf(name) }))
      .sort((a, b) => a.number - b.number || a.name.length - b.name.length)
  }

  #isFree(name: string): boolean {
    if (name.endsWith(releasedSuffix)) return true
    const holder = this.#readHolder(name)
    if (holder === undefined) return false
    const held = Math.abs(this.#clock.wallTime() - holder.since)
    return held > maxHeld || !isProcessRunning(holder, held / 1000) || !isThreadRunning(holder, held / 1000)
  }

  /** Returns who holds a lock; `undefined` if it is gone. What cannot be read holds since its file exists. */
  #readHolder(name: string): LockHolder | undefined {
    return withOwnFile(join(this.#directory, name), 4096, (fd, { mtimeMs, size }) => {
      const [pid, processStart, systemThread, since] = readBytes(fd, 0, size).toString().split(' ')
      if (since === undefined) return { ...currentThread(), since: mtimeMs }
      return {
        pid: Number(pid),
        processStart: processStart ?? '',
        systemThread: systemThread === '' ? undefined : systemThread,
        since: Number(since),
      }
    })
  }

  /** Creates a lock with its content complete. Returns whether there was none. */
  #create(name: string): boolean {
    const { pid, processStart, systemThread = '' } = currentThread()
    const text = [pid, processStart, systemThread, this.#clock.wallTime()].join(' ')
    const { path, fd } = createUnfinished(this.#directory, (file) => writeAll(file, Buffer.from(text), 0))
    closeSync(fd)
    try {
      linkSync(path, join(this.#directory, name))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(path, { force: true })
    }
  }

  /** Renames the lock, which needs no space on the disk. */
  #release(name: string): void {
    const path = join(this.#directory, name)
    try {
      renameSync(path, `${path}${releasedSuffix}`)
    } catch {
      // Another has taken it, or the directory is gone.
    }
  }

  #remove(name: string): void {
    rmSync(join(this.#directory, name), { force: true })
  }
}

/** Returns whether a name is one of a lock, held or released. */
export function isLockName(name: string): boolean {
  return name.startsWith(prefix) && Number.isSafeInteger(numberOf(name))
}

interface LockFile {
  readonly name: string
  readonly number: number
}

interface LockHolder extends ThreadKey {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number
}

function nameOf(number: number): string {
  return `${prefix}${number}`
}

function numberOf(name: string): number {
  const end = name.endsWith(releasedSuffix) ? -releasedSuffix.length : undefined
  const digits = name.slice(prefix.length, end)
  return digits === '' ? Number.NaN : Number(digits)
}

/** Blocks this thread: nothing else may happen in it meanwhile. */
function pauseThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

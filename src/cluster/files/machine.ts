import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { readBytes, withOwnFile, writeWhole } from './safe-files.ts'

/** A thread of a process, such that a later one with the same numbers differs. */
export interface ThreadKey {
  readonly pid: number
  /** When the process started, as its system counts. Empty where the system does not show it. */
  readonly processStart: string
  /** The thread's number and start; `undefined` for a main thread, and where the system does not show threads. */
  readonly systemThread: string | undefined
}

/** Where pids are valid: `undefined` where the system does not show it. */
interface Machine {
  readonly boot: string | undefined
  readonly pidNamespace: string | undefined
}

/** Returns the key of the thread that calls it. */
export function currentThread(): ThreadKey {
  const processStart = readStart(`/proc/${process.pid}/stat`) ?? ''
  return { pid: process.pid, processStart, systemThread: threadId === 0 ? undefined : ownSystemThread() }
}

/** Returns the boot and the pid namespace of this process. */
export function currentMachine(): Machine {
  return {
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    pidNamespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
  }
}

/**
 * Returns whether a process exists and is the one of the key. Without `/proc` a process with its pid is taken for it,
 * if it has shown itself in the last minute.
 */
export function isProcessRunning({ pid, processStart }: ThreadKey, age: number): boolean {
  if (processStart !== '') return readStart(`/proc/${pid}/stat`) === processStart
  return age < 60 && exists(pid)
}

/** Returns whether the thread of the key exists, in a process that does. Without `/proc` it must not be silent. */
export function isThreadRunning({ pid, processStart, systemThread }: ThreadKey, age: number): boolean {
  if (systemThread === undefined) return processStart !== '' || age < 60
  const [id, start] = systemThread.split('@')
  return readStart(`/proc/${pid}/task/${id}/stat`) === start
}

function ownSystemThread(): string | undefined {
  const id = attempt(() => readlinkSync('/proc/thread-self').split('/').at(-1))
  const start = id === undefined ? undefined : readStart(`/proc/${process.pid}/task/${id}/stat`)
  return start === undefined ? undefined : `${id}@${start}`
}

/** Returns field 22 of a stat file (proc_pid_stat(5)); `undefined` if it does not exist, or has ended. */
function readStart(path: string): string | undefined {
  const stat = attempt(() => readFileSync(path, 'latin1'))
  if (stat === undefined) return undefined
  // The second field is a name in parentheses, which may contain any character.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

export const machineName = 'group.json'

/** Where a group was made, as this process sees it. */
export type Place = 'here' | 'earlier boot' | 'other pid namespace'

/** Returns whether the pids of a group are those that `now` sees. @default now this process */
export function placeOfGroup(directory: string, now: Machine = currentMachine()): Place {
  const made = readMachine(directory)
  if (made === undefined) return 'here'
  if (made.boot !== now.boot) return 'earlier boot'
  return made.pidNamespace === now.pidNamespace ? 'here' : 'other pid namespace'
}

/** Writes that the group was made by the boot and in the pid namespace of this process. */
export function markGroup(directory: string): void {
  writeWhole(directory, machineName, Buffer.from(`${JSON.stringify(currentMachine())}\n`))
}

function readMachine(directory: string): { readonly boot: unknown; readonly pidNamespace: unknown } | undefined {
  try {
    const path = join(directory, machineName)
    const text = withOwnFile(path, 4096, (fd, { size }) => readBytes(fd, 0, size).toString())
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value !== 'object' || value === null) return undefined
    return { boot: Reflect.get(value, 'boot'), pidNamespace: Reflect.get(value, 'pidNamespace') }
  } catch {
    // Something else in its place is written anew by the next member that joins.
    return undefined
  }
}

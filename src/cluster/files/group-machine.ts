import { join } from 'node:path'
import { currentMachine, type Machine } from './running-threads.ts'
import { readBytes, withOwnFile, writeWhole } from './safe-files.ts'

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

import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { commandsName } from './command-file.ts'
import { baseName } from './content-file.ts'
import { checkPrivateDirectory } from './group-directory.ts'
import { GroupLock, isLockName } from './group-lock.ts'
import { drain, GroupReader, isMemberName } from './group-reader.ts'
import { machineName } from './machine.ts'
import { requestsName } from './request-files.ts'
import { isUnfinished } from './safe-files.ts'

/** Returns whether a directory is that of a group: one in which a member has joined. */
export function isGroupDirectory(directory: string): boolean {
  return existsSync(join(directory, machineName))
}

/**
 * Removes the files of a group without live members, in which nothing was written for some time, and its directory.
 * What is not of a group stays, and the directory with it. Throws if something cannot be removed.
 */
export function removeEndedGroup(directory: string, idleMilliseconds: number, clock: Clock): void {
  checkPrivateDirectory(directory)
  const isEnded = (): boolean => isIdle(directory, idleMilliseconds, clock) && !hasLiveMember(directory, clock)
  if (!isEnded()) return
  new GroupLock(directory, clock).run(0, () => {
    // A member may have joined before the lock was taken.
    if (!isEnded()) return
    const foreign = foreignNames(directory)
    for (const name of readdirSync(directory)) {
      if (!foreign.includes(name)) rmSync(join(directory, name), { force: true, recursive: true })
    }
    if (foreign.length === 0) rmdirSync(directory)
  })
}

/** Returns what is in a directory and is not of a group. */
export function foreignNames(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => !isOfGroup(name))
}

function isOfGroup(name: string): boolean {
  const isNamed = [machineName, baseName, commandsName, requestsName].includes(name)
  return isNamed || isMemberName(name) || isLockName(name) || isUnfinished(name)
}

/** Looks at the files, since writing to one does not change the directory. The lock is taken here. */
function isIdle(directory: string, idleMilliseconds: number, clock: Clock): boolean {
  const times = readdirSync(directory)
    .filter((name) => !isLockName(name) && !isUnfinished(name))
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return times.every((time) => clock.wallTime() - time > idleMilliseconds)
}

function hasLiveMember(directory: string, clock: Clock): boolean {
  return drain(new GroupReader(directory, clock).read()).files.some(({ isAlive }) => isAlive)
}

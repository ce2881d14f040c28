import cluster from 'node:cluster'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import { Group } from './files/group-files.ts'
import { isGroupDirectory, removeEndedGroup } from './files/remove-group.ts'
import type { MemberRecord } from './member-image.ts'

interface GroupQuery {
  /** The option `group`. */
  readonly group: string | undefined
  /** The directory that holds those of the groups. */
  readonly base: string
  readonly application: string
  readonly clock: Clock
  readonly report: Report
}

/** Returns the name by which the processes of one application find each other. */
export function applicationName(application: { readonly name: string } | undefined): string {
  if (application !== undefined) return application.name
  // PM2 starts several applications from one process, each with a name of its own in the environment.
  const { pm_id: pm2, name } = process.env
  if (pm2 !== undefined && name !== undefined) return name
  return process.argv[1] ?? basename(process.execPath)
}

/** More groups are not searched for members of this process. */
const maxGroups = 200
/** A group whose last member ended longer ago is removed, of any application. */
const keptMilliseconds = 10 * 60_000

/**
 * Returns the directory of the group that this process or thread belongs to. Without a name in the option, that is the
 * group of another thread of this process or of the primary of this worker. If they have none, the directory is named
 * by the application, the user and the parent process. Removes groups whose members have ended.
 */
export function findGroup({ group, base, application, clock, report }: GroupQuery): string {
  removeEndedGroups(base, { clock, report })
  if (group !== undefined) return directoryOf(base, group)
  const related = listGroups(base, { clock, report }).find(({ members }) => members.some(isRelated))
  if (related !== undefined) return related.directory
  const leader = isPrimary() ? process.pid : process.ppid
  const origin = [application, process.getuid?.() ?? '', leader]
  return join(base, `${readable(application)}-${shortHash(JSON.stringify(origin))}`)
}

/** Returns the directory of the group with a name: different for different names. */
export function directoryOf(base: string, group: string): string {
  const isSafe = /^[\w-]{1,60}$/.test(group)
  return join(base, `group-${isSafe ? group : `${readable(group)}.${shortHash(group)}`}`)
}

interface FoundGroup {
  readonly directory: string
  readonly members: readonly MemberRecord[]
}

/** Returns the groups in a directory. */
export function listGroups(base: string, surroundings: { clock: Clock; report: Report }): readonly FoundGroup[] {
  return groupDirectories(base).flatMap((directory) => {
    try {
      return [{ directory, members: new Group({ directory, ...surroundings }).read().members }]
    } catch {
      // A group of another machine or user, or one that is removed at this moment.
      return []
    }
  })
}

function removeEndedGroups(base: string, { clock, report }: { clock: Clock; report: Report }): void {
  for (const directory of groupDirectories(base)) {
    try {
      removeEndedGroup(directory, keptMilliseconds, clock)
    } catch (error) {
      // Another process may remove it at the same time.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      report(`joinCluster: ${directory} of a group that has ended cannot be removed`, error)
    }
  }
}

/** Returns the paths of the groups in a directory, which need not exist. */
export function groupDirectories(base: string): readonly string[] {
  try {
    return readdirSync(base, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(base, name))
      .filter(isGroupDirectory)
      .slice(0, maxGroups)
  } catch {
    return []
  }
}

/** Whether a member is of this process, or the primary of this worker. */
function isRelated({ identity: { pid }, isAlive }: MemberRecord): boolean {
  return isAlive && (pid === process.pid || (cluster.isWorker && pid === process.ppid))
}

/** Whether this process has workers of `node:cluster`, or is about to start them. */
function isPrimary(): boolean {
  return cluster.isPrimary && cluster.settings.exec !== undefined
}

function readable(text: string): string {
  return (text.split('/').at(-1) ?? '').replace(/[^\w-]/g, '_').slice(0, 40) || 'application'
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

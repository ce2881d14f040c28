import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Level } from './level.ts'
import type { LoggerLevel, Loggers } from './loggers.ts'

/** A group of loggers: its members, and the level that was set for the group. */
export interface LoggerGroup {
  readonly configuredLevel?: Level
  readonly members: readonly string[]
  /** When the level of the group is restored, in milliseconds since the epoch. */
  readonly revertsAt?: number
}

/** The level of a logger, and when it is restored, in milliseconds since the epoch. */
export interface ChangedLevel extends LoggerLevel {
  readonly revertsAt?: number
}

/** A level that was changed or restored. */
export interface LevelChange {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly name: string
  readonly from: Level | undefined
  readonly to: Level | undefined
}

const maxRecent = 20

/** The longest time after which a level is restored. */
export const maxTemporaryMilliseconds: number = 7 * 86_400_000

/** Changes of levels, which may be temporary. */
export interface LevelChanges {
  /** The supported levels, from the least to the most verbose. */
  readonly levels: readonly Level[]
  readonly groups: ReadonlyMap<string, readonly string[]>
  /** The last 20 changes of loggers, the oldest first. */
  readonly recent: readonly LevelChange[]
  group(name: string): LoggerGroup | undefined
  logger(name: string): ChangedLevel | undefined
  /** Returns whether there is a logger of this name, or a group with at least one. */
  has(name: string): boolean
  /**
   * Sets the level of a logger, or of all loggers of a group. With `milliseconds` it is restored after that time; a
   * later change replaces this, and is restored to the level before the first temporary one. Returns whether there is
   * such a logger.
   */
  change(name: string, level: Level | undefined, milliseconds: number | undefined): boolean
  /** Restores all temporary levels now. */
  close(): void
}

interface Surroundings {
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly clock: Clock
  readonly report: Report
}

/** A level that is restored later. */
interface Pending {
  readonly previous: Level | undefined
  readonly revertsAt: number
  readonly timer: NodeJS.Timeout
}

/** Creates the changes of an application's levels. The timers of temporary levels do not keep the process alive. */
export function createLevelChanges(loggers: Loggers, { groups: members, clock, report }: Surroundings): LevelChanges {
  const groups = new Map(Object.entries(members))
  const groupLevels = new Map<string, Level>()
  const pendingLoggers = new Map<string, Pending>()
  const pendingGroups = new Map<string, Pending>()
  const recent: LevelChange[] = []

  function configure(name: string, level: Level | undefined): void {
    const from = loggers.level(name)?.effectiveLevel
    loggers.configure(name, level)
    recent.push({ at: clock.wallTime(), name, from, to: loggers.level(name)?.effectiveLevel })
    if (recent.length > maxRecent) recent.shift()
  }

  function setGroupLevel(group: string, level: Level | undefined): void {
    if (level === undefined) groupLevels.delete(group)
    else groupLevels.set(group, level)
  }

  /** Replaces what is pending for a name. The level before the first temporary one is the one to be restored. */
  function schedule(
    pending: Map<string, Pending>,
    name: string,
    { current, milliseconds }: { current: Level | undefined; milliseconds: number | undefined },
    restore: (previous: Level | undefined) => void,
  ): void {
    const earlier = pending.get(name)
    clearTimeout(earlier?.timer)
    pending.delete(name)
    if (milliseconds === undefined) return
    const previous = earlier === undefined ? current : earlier.previous
    const timer = setUnrefTimeout(() => {
      pending.delete(name)
      restore(previous)
    }, milliseconds)
    pending.set(name, { previous, revertsAt: clock.wallTime() + milliseconds, timer })
  }

  function restoreLogger(name: string, previous: Level | undefined): void {
    try {
      configure(name, previous)
      report(`loggers: the temporary level of ${name} has ended, it is ${loggers.level(name)?.effectiveLevel} again`)
    } catch (error) {
      report(`loggers: the level of ${name} cannot be restored`, error)
    }
  }

  function changeLogger(name: string, level: Level | undefined, milliseconds: number | undefined): boolean {
    const current = loggers.level(name)
    if (current === undefined) return false
    configure(name, level)
    schedule(pendingLoggers, name, { current: current.configuredLevel, milliseconds }, (previous) =>
      restoreLogger(name, previous),
    )
    return true
  }

  return {
    ...{ levels: loggers.levels, groups, recent },
    group(name) {
      const found = groups.get(name)
      if (found === undefined) return undefined
      const configuredLevel = groupLevels.get(name)
      return { ...(configuredLevel && { configuredLevel }), members: found, ...revertOf(pendingGroups.get(name)) }
    },
    logger(name) {
      const level = loggers.level(name)
      return level && { ...level, ...revertOf(pendingLoggers.get(name)) }
    },
    has: (name) => (groups.get(name) ?? [name]).some((member) => loggers.level(member) !== undefined),
    change(name, level, milliseconds) {
      const group = groups.get(name)
      if (group === undefined) return changeLogger(name, level, milliseconds)
      const changed = group.filter((member) => changeLogger(member, level, milliseconds))
      if (changed.length === 0) return false
      const current = groupLevels.get(name)
      setGroupLevel(name, level)
      schedule(pendingGroups, name, { current, milliseconds }, (previous) => setGroupLevel(name, previous))
      return true
    },
    close() {
      for (const [name, { timer, previous }] of pendingLoggers) {
        clearTimeout(timer)
        restoreLogger(name, previous)
      }
      for (const { timer } of pendingGroups.values()) clearTimeout(timer)
      pendingLoggers.clear()
      pendingGroups.clear()
    },
  }
}

function revertOf(pending: Pending | undefined): { readonly revertsAt?: number } {
  return pending === undefined ? {} : { revertsAt: pending.revertsAt }
}

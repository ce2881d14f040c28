import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { ClusterCommand, ClusterView } from '../../cluster/cluster-host.ts'
import { parseLevel } from '../../logging/levels/level.ts'
import { type LevelChanges, maxTemporaryMilliseconds } from '../../logging/levels/level-changes.ts'

interface CommandSurroundings {
  readonly cluster: { readonly view: ClusterView | undefined }
  /** `undefined` without the option `loggers`. */
  readonly changes: LevelChanges | undefined
  /** Starts the shutdown. Returns whether there is one. */
  readonly shutDown: (reason: string) => boolean
  readonly clock: Clock
  readonly report: Report
}

type LevelCommand = Extract<ClusterCommand, { kind: 'log-level' }>

/** Commands that cannot be applied are reported this often: each is a line that another process can cause. */
const maxReported = 100

/** Creates the function that applies what members of a cluster send to this one. Never throws. */
export function createCommandApplier(surroundings: CommandSurroundings): (command: ClusterCommand) => void {
  const { cluster, changes, shutDown, clock, report } = surroundings
  const reported = new Set<string>()
  const reportOnce = (message: string): void => {
    if (reported.has(message) || reported.size >= maxReported) return
    reported.add(message)
    report(message)
  }

  function changeLevel({ logger, level, until }: LevelCommand): void {
    const name = JSON.stringify(logger.slice(0, 200))
    const milliseconds = until === undefined ? undefined : until - clock.wallTime()
    // A temporary level that has ended while this member was blocked, or before it joined.
    if (milliseconds !== undefined && !(milliseconds > 0)) return
    const parsed = level === undefined ? undefined : parseLevel(level)
    if (level !== undefined && (parsed === undefined || changes?.levels.includes(parsed) !== true)) {
      reportOnce(`cluster: the level of ${name} is not changed: unknown level ${JSON.stringify(level.slice(0, 20))}`)
    } else if (changes?.has(logger) !== true) {
      reportOnce(`cluster: the level of ${name} is not changed: this member has no such logger`)
    } else {
      changes.change(logger, parsed, milliseconds && Math.min(milliseconds, maxTemporaryMilliseconds))
    }
  }

  function apply(command: ClusterCommand): void {
    const { slots } = command
    const { view } = cluster
    if (slots !== undefined && (view === undefined || !slots.includes(view.slot))) return
    if (command.kind === 'log-level') changeLevel(command)
    else if (command.kind === 'shutdown' && !shutDown(command.reason.slice(0, 200))) {
      reportOnce('cluster: this member is not shut down: it does not call shutdownGracefully')
    }
  }

  return (command) => {
    try {
      apply(command)
    } catch (error) {
      report('cluster: failed to apply the command of a member', error)
    }
  }
}

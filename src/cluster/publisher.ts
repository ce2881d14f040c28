import { nextTurn } from '../base/timers.ts'
import type { MemberFile } from './files/member-file.ts'
import type { MemberState } from './member-image.ts'
import { shareRun } from './rounds.ts'
import type { ValueCopier } from './value-target.ts'

interface PublisherParts {
  readonly file: MemberFile
  readonly copier: ValueCopier
  /** Updates values that cannot be read synchronously. */
  readonly refresh: () => Promise<void>
  readonly state: () => MemberState
  /** Called with the error of a write. */
  readonly failed: (error: unknown) => void
}

/** Writes the values of a member to its file. */
interface Publisher {
  /**
   * Writes the values of this moment, gauges only if asked to: they are functions of the application. Callers share the
   * write that is active. Returns whether something was counted since the one before, or the write has failed.
   */
  publishRound(gauges: boolean): Promise<boolean>
  /** Writes all values of this moment, some hundred series per turn of the event loop. */
  publish(): Promise<void>
  /** Writes all values but those that have to be waited for, at once, for the last time. */
  leave(): void
  /** Returns whether the last write failed. */
  isFailing(): boolean
}

/** Creates what writes the values of a member. Nothing is written before a call. */
export function createPublisher({ file, copier, refresh, state, failed }: PublisherParts): Publisher {
  let running: Promise<boolean> | undefined
  let waiting: Promise<void> | undefined
  let isStopped = false
  let isFailing = false

  const commit = (): void => {
    file.commit(state())
    file.heartbeat()
    isFailing = false
  }

  const fail = (error: unknown): void => {
    isFailing = true
    failed(error)
  }

  const run = async (gauges: boolean): Promise<boolean> => {
    try {
      const steps = copier.copy(gauges)
      let step = steps.next()
      for (; !step.done && !isStopped; step = steps.next()) await nextTurn()
      if (!isStopped) commit()
      return step.value !== false
    } catch (error) {
      fail(error)
      return true
    }
  }

  const start = (gauges: boolean): Promise<boolean> => {
    running = run(gauges).finally(() => {
      running = undefined
    })
    return running
  }

  /** A source that hangs is asked once. */
  const refreshOnce = shareRun(() => refresh().catch(failed))

  /** Runs anew after the run that is active: that one may have passed what was counted just now. */
  const publish = async (): Promise<void> => {
    await refreshOnce()
    await running
    waiting = undefined
    await (running ?? start(true))
  }

  return {
    publishRound(gauges) {
      // Not awaited: counts must not wait for a source that hangs.
      if (gauges) void refreshOnce()
      return running ?? start(gauges)
    },
    publish() {
      waiting ??= publish()
      return waiting
    },
    leave() {
      isStopped = true
      try {
        for (const steps = copier.copy(true); !steps.next().done; );
        file.leave(state())
      } catch (error) {
        fail(error)
      }
    },
    isFailing: () => isFailing,
  }
}

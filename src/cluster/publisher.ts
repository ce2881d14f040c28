import type { Clock } from '../base/clock.ts'
import { nextTurn } from '../base/timers.ts'
import type { MemberFile } from './files/member-file.ts'
import type { MemberState } from './member-image.ts'
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

/** How often a member writes what it has counted. What a killed process has counted since is lost. */
const publishMilliseconds = 200
/** How often a member reads gauges, which are functions of the application, and many series none of which changes. */
const gaugeMilliseconds = 1_000

/** Writes the values of a member to its file. */
interface Publisher {
  /** Writes all values of this moment, some hundred series per turn of the event loop. */
  publish(): Promise<void>
  /** Writes all values but those that have to be waited for, at once: for the end of the process. */
  publishNow(isFinal: boolean): void
  /** Returns whether the last write failed. */
  isFailing(): boolean
  stop(): void
}

/**
 * Starts to write the values of a member, five times a second, and gauges once a second. A run that takes longer than
 * the interval is not started again meanwhile.
 */
export function startPublisher({ file, copier, refresh, state, failed }: PublisherParts, clock: Clock): Publisher {
  let lastGauges = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  let refreshing: Promise<void> | undefined
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

  const run = async (gauges: boolean): Promise<void> => {
    try {
      for (const steps = copier.copy(gauges); !steps.next().done && !isStopped; ) await nextTurn()
      if (!isStopped) commit()
    } catch (error) {
      fail(error)
    }
  }

  const start = (gauges: boolean): Promise<void> => {
    running = run(gauges).finally(() => {
      running = undefined
    })
    return running
  }

  /** Callers that come while a refresh is active share it: a source that hangs is asked once. */
  const refreshOnce = (): Promise<void> => {
    refreshing ??= refresh()
      .catch(failed)
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  const timer = setInterval(() => {
    if (running !== undefined) return
    const isGaugeTime = clock.monotonicTime() - lastGauges >= gaugeMilliseconds
    if (isGaugeTime) {
      lastGauges = clock.monotonicTime()
      // Not awaited: counts must not wait for a source that hangs.
      void refreshOnce()
    }
    void start(isGaugeTime)
  }, publishMilliseconds)
  timer.unref()

  /** Runs anew after the run that is active: that one may have passed what was counted just now. */
  const publish = async (): Promise<void> => {
    await refreshOnce()
    await running
    waiting = undefined
    await (running ?? start(true))
  }

  return {
    publish() {
      waiting ??= publish()
      return waiting
    },
    publishNow(isFinal) {
      isStopped = isFinal
      try {
        for (const steps = copier.copy(true); !steps.next().done; );
        if (isFinal) file.leave({ ...state(), isFinal })
        else commit()
      } catch (error) {
        fail(error)
      }
    },
    isFailing: () => isFailing,
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

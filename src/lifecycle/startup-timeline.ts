import type { Clock } from '../base/clock.ts'
import type { AvailabilityStates } from './availability.ts'
import { observeListening, observeSlowModules, type RecordStep } from './startup-channels.ts'

/** A step of the start of an application. Times are milliseconds since the epoch. */
export interface StartupEvent {
  readonly id: number
  readonly parentId?: number | undefined
  readonly name: string
  readonly startTime: number
  readonly endTime: number
  readonly tags: Readonly<Record<string, string>>
}

/** The steps of the start of an application that have ended so far, in the order in which they ended. */
export interface StartupTimeline {
  /** When the process started, in milliseconds since the epoch. */
  readonly startTime: number
  readonly events: readonly StartupEvent[]
}

/** Records the start of an application, from the start of the process on. */
export interface StartupRecorder {
  read(): StartupTimeline
  /** Removes the events, and returns them. */
  drain(): StartupTimeline
  close(): void
}

/** Further events are not recorded. */
const maxEvents = 500

/**
 * Records the start of Node, of the application until it is ready for the first time, its start-up tasks, the servers
 * that begin to listen, and modules that take 20 ms or more to load.
 */
export function recordStartup({ availability, onStartupTask }: AvailabilityStates, clock: Clock): StartupRecorder {
  const startTime = clock.wallTime() - process.uptime() * 1_000
  const now = () => startTime + process.uptime() * 1_000
  let events: StartupEvent[] = []
  let recorded = 0
  let nextId = 0
  const createId = () => nextId++

  const record: RecordStep = (name, since, tags = {}, ids = { id: createId(), parentId: undefined }) => {
    if (recorded >= maxEvents) return
    recorded += 1
    events.push({ ...ids, name, startTime: since, endTime: now(), tags })
  }

  const bootstrapped = bootstrapMilliseconds()
  if (bootstrapped !== undefined) {
    const endTime = startTime + bootstrapped
    events.push({ id: createId(), name: 'node.bootstrap', startTime, endTime, tags: {} })
  }
  const endTasks = onStartupTask((name) => {
    const since = now()
    return (failed) => record('application.startup-task', since, { name, outcome: failed ? 'ERROR' : 'SUCCESS' })
  })
  const endListening = observeListening((tags) => record('server.listening', startTime, tags))
  const endModules = observeSlowModules({ now, createId, record })

  let hasStarted = false
  const recordReady = () => {
    if (!hasStarted || availability.readiness !== 'ACCEPTING_TRAFFIC') return
    endReady()
    endModules()
    record('application.ready', startTime)
  }
  const endReady = availability.onChange(recordReady)
  const turn = setImmediate(() => {
    hasStarted = true
    record('application.started', startTime)
    recordReady()
  })
  turn.unref()

  return {
    read: () => ({ startTime, events: [...events] }),
    drain() {
      const drained = events
      events = []
      return { startTime, events: drained }
    },
    close() {
      clearImmediate(turn)
      endReady()
      endModules()
      endListening()
      endTasks()
    },
  }
}

/** Returns how long Node took until it ran the main module, in milliseconds; `undefined` if that is unknown. */
function bootstrapMilliseconds(): number | undefined {
  const { nodeTiming } = performance as Partial<typeof performance>
  const milliseconds = nodeTiming?.bootstrapComplete
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined
}

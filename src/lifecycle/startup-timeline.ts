import type { Clock } from '../base/clock.ts'
import { lazy } from '../base/lazy.ts'
import type { AvailabilityStates } from './availability.ts'

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
  const endModules = observeSlowModules(now, createId, record)

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

const channels = lazy(() => process.getBuiltinModule('node:diagnostics_channel'))

/** Modules that take less time to load are not recorded. */
const slowMilliseconds = 20

const maxText = 200

/** Records a step when it has ended. `since` is in milliseconds since the epoch. */
type RecordStep = (
  name: string,
  since: number,
  tags?: Readonly<Record<string, string>>,
  ids?: { readonly id: number; readonly parentId: number | undefined },
) => void

type Subscriber = (message: unknown) => void

/** Calls `record` with the address of each server that begins to listen. Returns a function that stops it. */
function observeListening(record: (tags: Readonly<Record<string, string>>) => void): () => void {
  return subscribeAll({
    'tracing:net.server.listen:asyncEnd': (message) => {
      const server = memberOf(message, 'server')
      const read = memberOf(server, 'address')
      const address: unknown = typeof read === 'function' ? read.call(server) : undefined
      if (typeof address === 'string') record({ path: text(address) })
      else if (typeof address === 'object' && address !== null) {
        record({ address: text(memberOf(address, 'address')), port: text(memberOf(address, 'port')) })
      }
    },
  })
}

interface Loading {
  readonly id: number
  readonly parentId: number | undefined
  readonly since: number
}

/**
 * Records modules that are slow to load, where Node publishes that: from Node 22.13 on. The parent of a module that is
 * required is the one that requires it. Returns a function that stops it.
 */
function observeSlowModules(now: () => number, createId: () => number, record: RecordStep): () => void {
  const loading = new WeakMap<object, Loading>()
  const requiring: Loading[] = []

  function begin(message: unknown): Loading | undefined {
    if (typeof message !== 'object' || message === null) return undefined
    const started = { id: createId(), parentId: requiring.at(-1)?.id, since: now() }
    loading.set(message, started)
    return started
  }

  function end(message: unknown, member: 'id' | 'url'): void {
    const started = typeof message === 'object' && message !== null ? loading.get(message) : undefined
    if (started === undefined || now() - started.since < slowMilliseconds) return
    const { id, parentId, since } = started
    const parent = memberOf(message, member === 'id' ? 'parentFilename' : 'parentURL')
    const tags = { module: place(memberOf(message, member)), ...(parent !== undefined && { parent: place(parent) }) }
    record(member === 'id' ? 'module.require' : 'module.import', since, tags, { id, parentId })
  }

  return subscribeAll({
    'tracing:module.require:start': (message) => {
      const started = begin(message)
      if (started !== undefined) requiring.push(started)
    },
    'tracing:module.require:end': (message) => {
      requiring.pop()
      end(message, 'id')
    },
    'tracing:module.import:start': begin,
    'tracing:module.import:asyncEnd': (message) => end(message, 'url'),
  })
}

function subscribeAll(subscribers: Readonly<Record<string, Subscriber>>): () => void {
  for (const [name, subscriber] of Object.entries(subscribers)) channels().subscribe(name, subscriber)
  return () => {
    for (const [name, subscriber] of Object.entries(subscribers)) channels().unsubscribe(name, subscriber)
  }
}

function memberOf(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null ? Reflect.get(object, key) : undefined
}

/** Returns the name or the address of a module, without a query and without the content of a `data:` URL. */
function place(value: unknown): string {
  const address = String(value)
  return address.startsWith('data:') ? 'data:' : text(address.split('?')[0])
}

function text(value: unknown): string {
  return String(value).slice(0, maxText)
}

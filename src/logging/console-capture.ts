import { activeSpan } from './events/line-event.ts'
import { hasLogSinks, type LogEvent, type LoggedError, publishLogEvent, withoutLogSinks } from './events/sinks.ts'
import { rootName } from './levels/loggers.ts'
import { severityOf } from './levels/severity.ts'

const levels = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', log: 'INFO', warn: 'WARN', error: 'ERROR' } as const
type Method = keyof typeof levels
type Write = (...args: unknown[]) => void

const key = Symbol.for('upkeep.console')

/** A method that has been replaced. Marked, so that a second capture, also of another copy of upkeep, does nothing. */
interface CapturingWrite extends Write {
  [key]?: { users: number; readonly original: Write }
}

/**
 * Passes what is written with `console.log`, `info`, `warn`, `error`, `debug` and `trace` to log sinks, too. Replaces
 * these methods; returns a function that restores them. The message is what the console writes; an `Error` among the
 * arguments is the error of the record.
 */
export function captureConsole(): () => void {
  const releases = (Object.keys(levels) as Method[]).map(capture)
  return () => {
    for (const release of releases) release()
  }
}

function capture(method: Method): () => void {
  const present: CapturingWrite = console[method]
  const write: CapturingWrite = present[key] === undefined ? capturing(method, present) : present
  console[method] = write
  const state = write[key]
  if (state === undefined) return () => {}
  state.users += 1
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    state.users -= 1
    // If another patch was applied later, this one has to stay in place.
    if (state.users === 0 && console[method] === write) console[method] = state.original
  }
}

function capturing(method: Method, original: Write): CapturingWrite {
  const state = { users: 0, original }
  const write: CapturingWrite = function (this: unknown, ...args) {
    if (state.users === 0 || !hasLogSinks()) return Reflect.apply(original, this, args)
    // console.trace calls console.error.
    withoutLogSinks(() => Reflect.apply(original, this, args))
    publish(levels[method], args)
  }
  write[key] = state
  return write
}

function publish(level: string, args: readonly unknown[]): void {
  try {
    const span = activeSpan()
    const event: LogEvent = {
      time: Date.now(),
      level,
      severity: severityOf(level),
      logger: rootName,
      message: process.getBuiltinModule('node:util').format(...args),
      error: errorIn(args),
      attributes: {},
      get trace() {
        return span?.context
      },
    }
    publishLogEvent(event)
  } catch {
    // An argument cannot be inspected.
  }
}

function errorIn(args: readonly unknown[]): LoggedError | undefined {
  const error = args.find((each) => each instanceof Error)
  return error === undefined
    ? undefined
    : { type: String(error.name), message: String(error.message), stack: error.stack }
}

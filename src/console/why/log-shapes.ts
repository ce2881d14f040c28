import type { LogEvent } from '../../logging/events/sinks.ts'

/** Errors of one shape in the log. */
export interface LogShape {
  readonly logger: string
  readonly shape: string
  /** The latest of the messages. */
  readonly message: string
  readonly isFatal: boolean
  /** How many were logged in the last five minutes. */
  readonly recent: number
  /** How many were logged in the 55 minutes before. */
  readonly before: number
  /** The latest trace identifiers, three at most. */
  readonly traces: readonly string[]
}

/** The severity number of `ERROR`. */
const errorSeverity = 17
const fatalSeverity = 21

const maxShapes = 200
const minutes = 60
export const recentMinutes = 5
const maxTraces = 3

class Shape {
  readonly logger: string
  readonly shape: string
  message = ''
  isFatal = false
  traces: readonly string[] = []
  readonly #counts = new Uint32Array(minutes)
  #last = 0

  constructor(logger: string, shape: string, minute: number) {
    this.logger = logger
    this.shape = shape
    this.#last = minute
  }

  add(minute: number): void {
    this.#turnTo(minute)
    const at = minute % minutes
    this.#counts[at] = (this.#counts[at] as number) + 1
  }

  count(minute: number): Pick<LogShape, 'recent' | 'before'> {
    this.#turnTo(minute)
    let [recent, before] = [0, 0]
    for (let age = 0; age < minutes; age++) {
      const count = this.#counts[(minute - age + minutes) % minutes] as number
      if (age < recentMinutes) recent += count
      else before += count
    }
    return { recent, before }
  }

  #turnTo(minute: number): void {
    for (let at = Math.max(this.#last + 1, minute - minutes + 1); at <= minute; at++) this.#counts[at % minutes] = 0
    this.#last = Math.max(this.#last, minute)
  }
}

/** The errors in the log of the last hour, by logger and shape; the shapes that are least recent are dropped. */
export class LogShapes {
  readonly #shapes = new Map<string, Shape>()

  /** `minute` is the number of the current minute. */
  add(event: LogEvent, minute: number): void {
    if (event.severity < errorSeverity) return
    const { logger, message = event.error?.message ?? event.error?.type ?? '' } = event
    const text = shapeOf(message)
    const key = `${logger}\n${text}`
    const shape = this.#shapes.get(key) ?? new Shape(logger, text, minute)
    this.#shapes.delete(key)
    this.#shapes.set(key, shape)
    shape.add(minute)
    shape.message = message.slice(0, 1_000)
    shape.isFatal = event.severity >= fatalSeverity
    const traceId = event.trace?.traceId
    if (traceId !== undefined && !shape.traces.includes(traceId)) {
      shape.traces = [traceId, ...shape.traces].slice(0, maxTraces)
    }
    if (this.#shapes.size > maxShapes) for (const oldest of this.#shapes.keys()) return void this.#shapes.delete(oldest)
  }

  read(minute: number): readonly LogShape[] {
    return [...this.#shapes.values()].map((each) => {
      const { logger, shape, message, isFatal, traces } = each
      return { logger, shape, message, isFatal, traces, ...each.count(minute) }
    })
  }
}

const maxShapeLength = 300
const placeholder = '<…>'

/**
 * Returns the shape of a log message: what varies between messages of one statement is replaced: quoted strings, and
 * words with a digit, such as numbers, identifiers and addresses.
 */
export function shapeOf(message: string): string {
  const text = message.slice(0, maxShapeLength)
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`|[\w.:/@-]*\d[\w.:/@-]*/g, placeholder)
}

import { textBytes } from '../../base/text-bytes.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import type { Span } from '../../tracing/span.ts'
import { rootName } from '../levels/loggers.ts'
import type { LogEvent, LoggedError } from './sinks.ts'

/** What is read from the fields of a record. */
export interface EventContent {
  readonly logger: string
  readonly message: string | undefined
  readonly error: LoggedError | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * The event of a record that has been serialized as JSON. A string is retained, because the objects of the application
 * may change; it is parsed when a sink reads more than the level.
 */
export abstract class LineEvent implements LogEvent {
  readonly time: number
  readonly level: string
  readonly severity: number
  readonly #line: string
  readonly #span: Span | undefined
  #content: EventContent | undefined = undefined

  constructor(line: string, time: number, level: string, severity: number) {
    this.time = time
    this.level = level
    this.severity = severity
    this.#line = line
    this.#span = activeSpan()
  }

  /** The memory of the text. */
  get bytes(): number {
    return textBytes(this.#line)
  }

  get logger(): string {
    return this.#read().logger
  }

  get message(): string | undefined {
    return this.#read().message
  }

  get error(): LoggedError | undefined {
    return this.#read().error
  }

  get attributes(): Readonly<Record<string, unknown>> {
    return this.#read().attributes
  }

  get trace(): TraceContext | undefined {
    return this.#span?.context
  }

  /** Reads the fields of the record. */
  protected abstract read(fields: Readonly<Record<string, unknown>>): EventContent

  #read(): EventContent {
    this.#content ??= this.#parse()
    return this.#content
  }

  #parse(): EventContent {
    try {
      return this.read(JSON.parse(this.#line))
    } catch {
      return { logger: rootName, message: this.#line.trimEnd(), error: undefined, attributes: {} }
    }
  }
}

/** The span in which a record is written; its ids are generated only if a sink reads them. */
export function activeSpan(): Span | undefined {
  try {
    return currentTracing()?.activeSpan()
  } catch {
    // A context manager of the application that throws must not fail the logger.
    return undefined
  }
}

/** Fields that every integration writes, and that a sink receives in other properties or in the resource. */
const commonFields: ReadonlySet<string> = new Set([
  'level',
  'logger',
  'service.name',
  'trace_id',
  'span_id',
  'trace_flags',
  // In the Elastic Common Schema.
  'log.level',
  'log.logger',
  'trace.id',
  'span.id',
  'ecs.version',
  'event.dataset',
  'service.version',
  'service.environment',
  'service.node.name',
  'process.pid',
  'host.hostname',
])

const threadFields: ReadonlySet<string> = new Set(['thread', 'process.thread.name'])

/** Fields in which loggers write an error. */
const errorFieldNames: ReadonlySet<string> = new Set(['err', 'error'])

/**
 * Reads the fields of a record. `messageField` and the fields for which `isOmitted` returns `true` are not among its
 * attributes.
 */
export function readContent(
  fields: Readonly<Record<string, unknown>>,
  messageField: string | undefined,
  isOmitted: (name: string, value: unknown) => boolean,
): EventContent {
  const attributes: [string, unknown][] = []
  let error: LoggedError | undefined
  for (const [name, value] of Object.entries(fields)) {
    if (commonFields.has(name) || name === messageField || isOmitted(name, value)) continue
    if (error === undefined && errorFieldNames.has(name) && isErrorObject(value)) {
      const { type, name: errorName, message, stack_trace: trace, stack = trace, ...others } = value
      error = { type: textOf(type) ?? textOf(errorName), message: textOf(message), stack: textOf(stack) }
      if (Object.keys(others).length > 0) attributes.push([name, others])
    } else attributes.push(threadFields.has(name) ? ['thread.name', value] : [name, value])
  }
  const message = messageField === undefined ? undefined : fields[messageField]
  return {
    logger: textOf(fields['logger'] ?? fields['log.logger']) ?? rootName,
    message: message === undefined ? undefined : typeof message === 'string' ? message : JSON.stringify(message),
    error,
    attributes: Object.fromEntries(attributes),
  }
}

/** Whether a value is what loggers serialize an error as. */
function isErrorObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  return 'stack' in value || 'stack_trace' in value || ('message' in value && ('type' in value || 'name' in value))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The event of a record of `createLogger`, or of winston. */
export class RecordEvent extends LineEvent {
  protected read(fields: Readonly<Record<string, unknown>>): EventContent {
    const content = readContent(fields, 'message', (name) => name === 'timestamp')
    const { stack, ...attributes } = content.attributes
    if (typeof stack !== 'string' || content.error !== undefined) return content
    return { ...content, error: errorInStack(stack), attributes }
  }
}

/** Reads the error from its stack: winston writes that as a field, and no other property of the error. */
export function errorInStack(stack: string): LoggedError {
  const end = stack.search(/\n {4}at /)
  const head = end < 0 ? stack : stack.slice(0, end)
  const colon = head.indexOf(': ')
  const type = colon < 0 ? head : head.slice(0, colon)
  const isNamed = /^[\w$.]{1,128}$/.test(type)
  if (!isNamed) return { type: undefined, message: head, stack }
  return { type, message: colon < 0 ? undefined : head.slice(colon + 2), stack }
}

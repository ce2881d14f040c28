import type { LogEvent } from '../logging/events/sinks.ts'
import type { LogFacts, LogsDocument } from './documents.ts'
import { showText, showValues, textLength } from './shown-values.ts'

/** The estimated memory of a record without its text, in bytes. */
const recordBytes = 256

/** Longer text is truncated where it is shown. */
const maxTextLength = 4_000

/** Records of which more would be kept are not. */
const maxRecordBytes = 64 * 1_024

/** How many records one response has at most. */
const maxRecords = 1_000

/** A record and its memory. */
interface KeptRecord {
  readonly sequence: number
  readonly event: LogEvent
  readonly bytes: number
}

/** Which records are shown. */
export interface LogFilter {
  /** Of at least this severity. */
  readonly severity?: number | undefined
  /** Of this logger and those below it, such as `orders` and `orders.db`. */
  readonly logger?: string | undefined
  /** Whose message contains this, in any case. */
  readonly text?: string | undefined
  readonly traceId?: string | undefined
  /** Later than the record of this number. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** The last log records. */
export class LogTail {
  readonly #maximumBytes: number
  /** The oldest first; those before `#first` are dropped. */
  #records: (KeptRecord | undefined)[] = []
  #first = 0
  #sequence = 0
  #bytes = 0
  #dropped = 0

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many records were dropped because of the budget. */
  get dropped(): number {
    return this.#dropped
  }

  add(event: LogEvent): void {
    this.#sequence += 1
    const bytes = recordBytes + textBytesOf(event)
    if (bytes > maxRecordBytes) {
      this.#dropped += 1
      return
    }
    this.#records.push({ sequence: this.#sequence, event, bytes })
    this.#bytes += bytes
    while (this.#bytes > this.#maximumBytes) this.#dropOldest()
  }

  read({ severity = 0, logger, text, traceId, after = 0, limit = 200 }: LogFilter): Omit<LogsDocument, 'now'> {
    const wanted = text?.toLowerCase()
    const records: LogFacts[] = []
    for (let at = this.#records.length - 1; at >= this.#first && records.length < Math.min(limit, maxRecords); at--) {
      const { sequence, event } = this.#records[at] as KeptRecord
      if (sequence <= after) break
      if (event.severity < severity || (traceId !== undefined && event.trace?.traceId !== traceId)) continue
      if (logger !== undefined && event.logger !== logger && !event.logger.startsWith(`${logger}.`)) continue
      if (wanted !== undefined && !(event.message ?? '').toLowerCase().includes(wanted)) continue
      records.push(show(sequence, event))
    }
    return { records, latest: this.#sequence, dropped: this.#dropped }
  }

  clear(): void {
    this.#records = []
    this.#first = 0
    this.#bytes = 0
  }

  #dropOldest(): void {
    this.#bytes -= (this.#records[this.#first] as KeptRecord).bytes
    this.#records[this.#first] = undefined
    this.#first += 1
    this.#dropped += 1
    if (this.#first < 1_024) return
    this.#records = this.#records.slice(this.#first)
    this.#first = 0
  }
}

/** The text of a record, and what is read from it; that of records that are kept as a line has been measured. */
function textBytesOf(event: LogEvent): number {
  const bytes = 'bytes' in event ? event.bytes : undefined
  if (typeof bytes === 'number') return 2 * bytes
  const { logger, message, error, attributes } = event
  return 2 * textLength([logger, message, error, attributes], maxRecordBytes)
}

function show(sequence: number, event: LogEvent): LogFacts {
  const { time, level, severity, logger, message = '', error, trace } = event
  return {
    ...{ sequence, at: time, level, severity, logger, message: limited(message) },
    ...{ traceId: trace?.traceId, spanId: trace?.spanId },
    error: error && {
      type: error.type,
      message: error.message && limited(error.message),
      stack: error.stack && limited(error.stack),
    },
    attributes: showAttributes(event.attributes),
  }
}

/** Returns attributes as numbers, and as strings of a limited length. */
function showAttributes(attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shown = Object.entries(showValues(attributes, maxTextLength))
  return Object.fromEntries(shown.map(([name, value]) => [name, typeof value === 'number' ? value : textOf(value)]))
}

function textOf(value: unknown): string {
  return limited(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))
}

function limited(text: string): string {
  return showText(text, maxTextLength)
}

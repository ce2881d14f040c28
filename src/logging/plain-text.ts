import type { LogRecord } from './record.ts'
import { showUnsafe } from './unsafe-characters.ts'

const ownFields: ReadonlySet<string> = new Set([
  'timestamp',
  'level',
  'logger',
  'message',
  'service.name',
  'trace_id',
  'span_id',
  'trace_flags',
  'thread',
])

/**
 * A record as a line for people:
 * `2026-11-21T15:29:22.123Z  INFO [orders,traceId=…,spanId=…] [main] orders.db : message {"more":"fields"}`, and the stacks
 * of errors below it. A line break, an escape of a terminal or a change of direction in it is shown and not obeyed, so that no
 * text that came from outside looks like a record of its own.
 */
export function formatPlainText(record: LogRecord): string {
  const { timestamp, level, logger, message, thread, trace_id, span_id } = record
  const trace = trace_id === undefined ? '' : `,traceId=${trace_id},spanId=${span_id ?? ''}`
  const others = Object.entries(record).filter(([name, value]) => !ownFields.has(name) && value !== undefined)
  const stacks = others.flatMap(([name, value]) => stackOf(name, value) ?? [])
  const fields = others.filter(([name, value]) => stackOf(name, value) === undefined)
  const more = fields.length === 0 ? '' : ` ${toJson(Object.fromEntries(fields))}`
  const head = `${timestamp} ${String(level).padStart(5)} [${record['service.name']}${trace}] [${thread}] ${logger} : ${message}`
  return [showUnsafe(head + more), ...stacks.flatMap(linesOf)].join('\n    ')
}

/** Of an error and its causes, or of a field that is a stack by itself. */
function stackOf(name: string, value: unknown, depth = 0): string | undefined {
  if (name === 'stack' && typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('stack' in value) || typeof value.stack !== 'string') {
    return undefined
  }
  const cause = 'cause' in value && depth < 5 ? stackOf('cause', value.cause, depth + 1) : undefined
  return cause === undefined ? value.stack : `${value.stack}\ncaused by ${cause}`
}

function linesOf(stack: string): readonly string[] {
  return stack.split('\n').map(showUnsafe)
}

function toJson(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields)
  } catch {
    return '{…}'
  }
}

import { escapeUnsafe } from './unsafe-characters.ts'

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
 * Formats a record as plain text: `2026-11-21T15:29:22.123Z INFO [orders,traceId=…,spanId=…] [main] orders.db : message
 * {"more":"fields"}`, followed by the stacks of errors. Line breaks, control characters and changes of direction are
 * escaped, so that external text cannot imitate a record.
 */
export function formatPlainText(record: Readonly<Record<string, unknown>>): string {
  const { timestamp, level, logger, message, thread, trace_id, span_id } = record
  const trace = trace_id === undefined ? '' : `,traceId=${trace_id},spanId=${span_id ?? ''}`
  const others = Object.entries(record).filter(([name, value]) => !ownFields.has(name) && value !== undefined)
  const stacks = others.flatMap(([name, value]) => stackOf(name, value) ?? [])
  const fields = others.filter(([name, value]) => stackOf(name, value) === undefined)
  const more = fields.length === 0 ? '' : ` ${toJson(Object.fromEntries(fields))}`
  const service = record['service.name']
  const head = `${timestamp} ${String(level).padStart(5)} [${service}${trace}] [${thread}] ${logger} : ${message}`
  return [escapeUnsafe(head + more), ...stacks.flatMap(linesOf)].join('\n    ')
}

/** Returns the stack of an error and its causes, or of a field that is a stack. */
function stackOf(name: string, value: unknown, depth = 0): string | undefined {
  if (name === 'stack' && typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('stack' in value) || typeof value.stack !== 'string') {
    return undefined
  }
  const cause = 'cause' in value && depth < 5 ? stackOf('cause', value.cause, depth + 1) : undefined
  return cause === undefined ? value.stack : `${value.stack}\ncaused by ${cause}`
}

function linesOf(stack: string): readonly string[] {
  return stack.split('\n').map(escapeUnsafe)
}

function toJson(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields)
  } catch {
    return '{…}'
  }
}

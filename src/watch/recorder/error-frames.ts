import type { StackFrame } from '../diagnostics/diagnostic-operation.ts'
import { parseFrame } from '../threads/thread-dump.ts'

/** What is known of an error without its message and its properties, which may contain a secret. */
export interface ErrorFrames {
  readonly name: string
  /** Such as `ECONNREFUSED`; `undefined` for an error without one. */
  readonly code: string | undefined
  /** The calls, the innermost first. */
  readonly stack: readonly StackFrame[]
  readonly cause: ErrorFrames | undefined
}

const maxDepth = 5
const maxFrames = 50
const maxName = 100

/** A call: its file is a path or a URL, so that no line of a message is one. */
const frame = /^ {4}at (?:.{0,200} \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\n]{0,1000}:\d{1,9}:\d{1,9}\)?$/

/** Returns the names, codes and calls of an error and its causes. Accepts any thrown value, and never throws. */
export function readErrorFrames(error: unknown, depth = 0): ErrorFrames | undefined {
  try {
    if (!(error instanceof Error)) return { name: typeof error, code: undefined, stack: [], cause: undefined }
    const { cause } = error
    return {
      name: nameOf(error),
      code: codeOf(error),
      stack: framesOf(error),
      cause: cause === undefined || depth === maxDepth ? undefined : readErrorFrames(cause, depth + 1),
    }
  } catch {
    return undefined
  }
}

/** Of the class, because `name` can be assigned. */
function nameOf(error: Error): string {
  const { name } = error.constructor
  return typeof name === 'string' ? name.slice(0, maxName) : 'Error'
}

function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,63}$/.test(code) ? code : undefined
}

function framesOf(error: Error): readonly StackFrame[] {
  const { message, stack } = error
  if (typeof stack !== 'string') return []
  // The message comes first, and may have lines that look like calls.
  const start = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1
  const calls = start < 0 ? stack : stack.slice(start + message.length)
  const lines = calls.split('\n', maxFrames + 1).filter((line) => frame.test(line))
  return lines.slice(0, maxFrames).map((line) => parseFrame(line.trim()))
}

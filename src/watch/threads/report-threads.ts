import { sanitizeUrl } from '../profile/sanitize-profile.ts'
import { maxFrames, type StackFrame, type ThreadStack } from './thread-dump-operation.ts'

/** The part of Node's diagnostic report that is used: the rest contains the environment and the arguments. */
interface ThreadReport {
  readonly header: { readonly threadId: number; readonly threadName?: string }
  readonly javascriptStack?: { readonly stack?: readonly string[] }
}

/**
 * Reads the stacks of this thread and of the worker threads from Node's diagnostic report, which needs no inspector and
 * no permission. Blocks this thread until each worker thread has responded: one that is inside native code does not
 * before it returns.
 */
export function reportThreads(): readonly ThreadStack[] {
  // Safe: it has these members in all versions of Node that are supported; its type has none.
  const report = process.report.getReport() as object as ThreadReport & { readonly workers?: readonly ThreadReport[] }
  const workers = (report.workers ?? []).map((worker) => {
    const { threadId, threadName = '' } = worker.header
    return {
      id: threadId,
      name: `worker ${threadId}${threadName === '' ? '' : ` ${threadName}`}`,
      ...readStack(worker),
    }
  })
  return [{ id: 0, name: 'main', ...readStack(report) }, ...workers.sort((one, other) => one.id - other.id)]
}

/** Reads the stack of this thread. */
export function readOwnStack(): Pick<ThreadStack, 'activity' | 'frames'> {
  const { stack = '' } = new Error()
  return readStack({
    header: { threadId: 0 },
    javascriptStack: { stack: stack.split('\n').map((line) => line.trim()) },
  })
}

function readStack({ javascriptStack }: ThreadReport): Pick<ThreadStack, 'activity' | 'frames'> {
  const lines = (javascriptStack?.stack ?? []).filter((line) => line.startsWith('at '))
  const frames = lines.slice(0, maxFrames).map(parseFrame)
  return { activity: frames.length === 0 ? 'idle' : 'running', frames }
}

/** Parses a line of a stack: `at name (url:1:2)` or `at url:1:2`. */
export function parseFrame(line: string): StackFrame {
  const text = line.slice('at '.length)
  const start = text.endsWith(')') ? text.indexOf(' (') : -1
  const place = start < 0 ? text : text.slice(start + 2, -1)
  const [column, lineNumber, ...rest] = place.split(':').reverse()
  const functionName = start < 0 ? '' : text.slice(0, start)
  const isPosition = Number(column) >= 0 && Number(lineNumber) >= 0
  if (!isPosition) return { functionName, url: sanitizeUrl(place), line: -1, column: -1 }
  return { functionName, url: sanitizeUrl(rest.reverse().join(':')), line: Number(lineNumber), column: Number(column) }
}

import { maxFrames, type RunOperation, type StackFrame, type ThreadStack } from '../diagnostics/diagnostic-operation.ts'
import { canInspect, isDebugged, requireNode } from '../diagnostics/mechanisms.ts'
import { sanitizeUrl } from '../profile/sanitize-profile.ts'

/** The threads of the process, and what keeps the event loop of the main thread alive. */
export interface ThreadDump {
  readonly threads: readonly ThreadStack[]
  /** The number of active resources of the main thread by type, such as `TCPServerWrap`; only that thread knows them. */
  readonly activeResources: Readonly<Record<string, number>> | undefined
}

/**
 * Reads the stacks of all threads: through the inspector or, where that is not permitted, from Node's diagnostic
 * report, which has those of worker threads that are blocked. While a debugger may be attached, only that of this
 * thread, the main thread.
 *
 * @throws HttpError 501 on Bun and Deno.
 */
export async function dumpThreads(run: RunOperation, signal: AbortSignal): Promise<ThreadDump> {
  requireNode()
  const activeResources = countResources()
  return { threads: await readThreads(run, signal), activeResources }
}

async function readThreads(run: RunOperation, signal: AbortSignal): Promise<readonly ThreadStack[]> {
  // Node's report would wait for a worker thread that a developer has stopped, who could not resume it meanwhile.
  if (isDebugged()) return [{ id: 0, name: 'main', ...readOwnStack() }]
  return canInspect() ? (await run('threaddump', {}, signal)).threads : reportThreads()
}

function countResources(): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const type of process.getActiveResourcesInfo().sort()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return Object.fromEntries(counts)
}

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

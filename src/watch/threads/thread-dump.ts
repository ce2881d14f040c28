import type { RunOperation } from '../diagnostics/diagnostic-operation.ts'
import { canInspect, requireNode } from '../diagnostics/mechanisms.ts'
import { isDebugged } from '../inspector/is-debugged.ts'
import { readOwnStack, reportThreads } from './report-threads.ts'
import type { ThreadStack } from './thread-dump-operation.ts'

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

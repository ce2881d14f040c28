import { type RecordInput, recordStates } from '../diagnostics/diagnostic-operation.ts'
import { type Capture, createCaptureId, type Finding } from './capture.ts'
import { readErrorFrames } from './error-frames.ts'

/** How long the process waits at most until the thread has stored the report, in milliseconds. */
const maxWait = 1_000

interface UncaughtExceptionContext {
  /** Sends a finding to the thread before it returns. Returns whether there is one. */
  readonly send: (input: RecordInput) => boolean
  /** Called when the report has been stored. The process may end afterwards. */
  readonly stored: (capture: Capture) => void
}

/**
 * Captures a report of each exception that is not caught, and of each rejection that is not handled and ends the
 * process. Returns a function that ends this.
 */
export function watchUncaughtExceptions({ send, stored }: UncaughtExceptionContext): () => void {
  const listener = (error: unknown, origin: string): void => {
    try {
      const capture = submit(error, origin, send)
      if (capture !== undefined) stored(capture)
    } catch {
      // The process is about to end because of another error, which must be the one that is printed.
    }
  }
  process.on('uncaughtExceptionMonitor', listener)
  return () => void process.off('uncaughtExceptionMonitor', listener)
}

function submit(error: unknown, origin: string, send: UncaughtExceptionContext['send']): Capture | undefined {
  const time = Date.now()
  const document = reportProcess(error, origin)
  const exception = readErrorFrames(error)
  const name = exception?.code === undefined ? exception?.name : `${exception.name} (${exception.code})`
  const finding: Finding & { readonly id: string } = {
    id: createCaptureId('uncaught-exception', time),
    rule: 'uncaught-exception',
    time,
    reason: `uncaught ${name ?? 'exception'}`,
    details: { origin, exception },
  }
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  if (!send({ finding, evidence: { kind: 'report', document }, state })) return undefined
  // The process may end as soon as this function returns, and the thread with it.
  Atomics.wait(state, 0, 0, maxWait)
  if (Atomics.load(state, 0) !== recordStates.stored) return undefined
  const { id, rule, reason, details } = finding
  const bytes = Buffer.byteLength(JSON.stringify(document))
  return { id, rule, time: new Date(time).toISOString(), reason, type: 'report', bytes, details }
}

/**
 * Returns a diagnostic report about an uncaught exception, without the environment, the arguments, addresses and
 * messages. Not made by `process.report`, which would wait for worker threads that are inside native code.
 */
function reportProcess(error: unknown, origin: string): object {
  const { getHeapStatistics, getHeapSpaceStatistics } = process.getBuiltinModule('node:v8')
  const os = process.getBuiltinModule('node:os')
  return {
    origin,
    exception: readErrorFrames(error),
    process: {
      pid: process.pid,
      uptimeSeconds: process.uptime(),
      versions: process.versions,
      arch: process.arch,
      platform: process.platform,
    },
    memory: {
      ...process.memoryUsage(),
      constrained: process.constrainedMemory?.(),
      machine: { total: os.totalmem(), free: os.freemem() },
    },
    heap: { ...getHeapStatistics(), spaces: getHeapSpaceStatistics() },
    resourceUsage: process.resourceUsage(),
    loadAverage: os.loadavg(),
    activeResources: process.getActiveResourcesInfo().reduce<Record<string, number>>((counts, type) => {
      counts[type] = (counts[type] ?? 0) + 1
      return counts
    }, {}),
  }
}

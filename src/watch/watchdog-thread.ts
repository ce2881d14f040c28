import { writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { ManagementResponse } from '../http/message.ts'
import type { RunOperation } from './diagnostics/diagnostic-operation.ts'
import { createDiagnosticsServer, diagnosticRoutes } from './diagnostics/serve-diagnostics.ts'
import { createBlockedLoopRule } from './recorder/blocked-loop.ts'
import type { FlightRecorder } from './recorder/flight-recorder.ts'
import { createMemoryRule } from './recorder/memory-limit.ts'
import { createStallDetector } from './stall-detector.ts'
import { heartbeat, readBeatTime, type WatchdogMessage, type WatchdogTask } from './thread-protocol.ts'
import { readBlockedStack, readMainThreadStack } from './threads/read-stack.ts'

/** The interval at which the memory of the container is read. */
const memoryMilliseconds = 1_000

/**
 * Watches the heartbeat of the main thread, and serves its liveness. Posts a `WatchdogMessage` when the server listens
 * or cannot, and when a stall has ended.
 */
export function watch(task: WatchdogTask, run: RunOperation, recorder: FlightRecorder | undefined): void {
  const detector = createStallDetector(task, performance.now())
  const blockedLoop = createBlockedLoop(task, recorder, isDebugged)

  /** The stall that goes on, and the stack of the main thread once it has been read. */
  let stall: { stack: readonly string[] } | undefined

  setInterval(() => {
    // Before the beats: the main thread beats before it ends an expected block.
    const expectedBlock = Atomics.load(task.heartbeat, heartbeat.expectedBlock)
    const beats = Atomics.load(task.heartbeat, heartbeat.beats)
    const now = performance.now()
    blockedLoop?.check(beats, now, expectedBlock)
    const state = detector.check(beats, now, expectedBlock)
    if (state === 'begun') begin()
    else if (state === 'ended') end()
  }, task.beatMilliseconds)

  const memoryShare = task.recorder?.memoryShare
  if (recorder !== undefined && memoryShare !== undefined) {
    setInterval(createMemoryRule(recorder, memoryShare), memoryMilliseconds)
  }

  const timeouts = {
    headersTimeout: 2_000,
    requestTimeout: 2_000,
    connectionsCheckingInterval: 500,
    keepAliveTimeout: 1_000,
  }
  const reportFailure = (message: string, cause?: unknown): void =>
    post({ kind: 'reported', message: `watchdog: ${message}${cause === undefined ? '' : `: ${cause}`}` })
  const serveDiagnostics =
    task.diagnostics &&
    createDiagnosticsServer(
      diagnosticRoutes(run, task.diagnostics.profile, isDebugged, recorder !== undefined),
      task.diagnostics,
      reportFailure,
    )
  const server = createServer(timeouts, (request, response) => {
    if (pathOf(request.url ?? '') !== task.path && serveDiagnostics?.(request, response) === true) return
    const { status, headers, body } = respond(request)
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  server.once('error', ({ message }) => post({ kind: 'failed', message }))
  server.listen(task.port, task.host, () => {
    // Safe: a server that listens on a port has such an address.
    post({ kind: 'listening', port: (server.address() as AddressInfo).port })
  })

  function begin(): void {
    const begun: { stack: readonly string[] } = { stack: [] }
    stall = begun
    // Pausing the main thread would continue a process that a developer has stopped in a debugger.
    if (isDebugged()) {
      writeStall([])
      return
    }
    void readMainThreadStack().then(async (frames) => {
      writeStall(frames)
      begun.stack = frames.length > 0 ? frames : await readBlockedStack(() => stall === begun)
    })
  }

  function end(): void {
    const blockedMilliseconds = Math.round(detector.blockedMilliseconds)
    post({ kind: 'stallEnded', blockedMilliseconds, stack: stall?.stack ?? [] })
    stall = undefined
  }

  /** Writes to standard error directly: the console of a worker goes through the main thread, which is blocked. */
  function writeStall(frames: readonly string[]): void {
    try {
      writeSync(2, `${[`upkeep: ${describeStall()}`, ...frames].join('\n    ')}\n`)
    } catch {
      // Standard error is closed.
    }
  }

  function respond({ method, url = '' }: IncomingMessage): Pick<ManagementResponse, 'status' | 'headers' | 'body'> {
    const { alive, broken, options, notFound, notAllowed } = task.responses
    if (pathOf(url) !== task.path) return notFound
    if (method === 'OPTIONS') return options
    if (method !== 'GET' && method !== 'HEAD') return notAllowed
    if (stall !== undefined) return stallResponse(stall.stack)
    return Atomics.load(task.heartbeat, heartbeat.isBroken) === 0 ? alive : broken
  }

  function stallResponse(stack: readonly string[]): ManagementResponse {
    const captureId = blockedLoop?.captureId
    const details = {
      error: describeStall(),
      ...(task.showStack && stack.length > 0 && { stack }),
      ...(captureId !== undefined && { capture: `${task.capturesPath}/${captureId}` }),
    }
    const body = JSON.stringify({ status: 'DOWN', details })
    return { status: 503, headers: { ...task.stallHeaders, 'Content-Length': String(Buffer.byteLength(body)) }, body }
  }

  function isDebugged(): boolean {
    return Atomics.load(task.heartbeat, heartbeat.isDebugged) !== 0
  }

  function describeStall(): string {
    return `the event loop has been blocked for ${Math.round(detector.blockedMilliseconds)}ms`
  }
}

function createBlockedLoop(
  { recorder: settings, beatMilliseconds, heartbeat: state }: WatchdogTask,
  recorder: FlightRecorder | undefined,
  isDebugged: () => boolean,
): ReturnType<typeof createBlockedLoopRule> | undefined {
  const stallMilliseconds = settings?.blockedLoopMilliseconds
  if (recorder === undefined || stallMilliseconds === undefined) return undefined
  const lastBeat = () => readBeatTime(Atomics.load(state, heartbeat.beatTime), Date.now())
  return createBlockedLoopRule(recorder, { stallMilliseconds, beatMilliseconds, isDebugged, lastBeat })
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function post(message: WatchdogMessage): void {
  parentPort?.postMessage(message)
}

import { writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { ManagementResponse } from '../http/message.ts'
import type { RunOperation } from './diagnostics/diagnostic-operation.ts'
import { diagnosticRoutes } from './diagnostics/diagnostic-routes.ts'
import { createDiagnosticsServer } from './diagnostics/serve-diagnostics.ts'
import { readMainThreadStack } from './main-thread-stack.ts'
import { createStallDetector } from './stall-detector.ts'
import { heartbeat, type WatchdogMessage, type WatchdogTask } from './watchdog-protocol.ts'

/**
 * Watches the heartbeat of the main thread, and serves its liveness. Posts a `WatchdogMessage` when the server listens
 * or cannot, and when a stall has ended.
 */
export function watch(task: WatchdogTask, run: RunOperation): void {
  const detector = createStallDetector(task, performance.now())

  /** The stall that goes on, and the stack of the main thread once it has been read. */
  let stall: { stack: readonly string[] } | undefined

  setInterval(() => {
    // Before the beats: the main thread beats before it ends an expected block.
    const expectedBlock = Atomics.load(task.heartbeat, heartbeat.expectedBlock)
    const beats = Atomics.load(task.heartbeat, heartbeat.beats)
    const state = detector.check(beats, performance.now(), expectedBlock)
    if (state === 'begun') begin()
    else if (state === 'ended') end()
  }, task.beatMilliseconds)

  const timeouts = {
    headersTimeout: 2_000,
    requestTimeout: 2_000,
    connectionsCheckingInterval: 500,
    keepAliveTimeout: 1_000,
  }
  const isDebugged = (): boolean => Atomics.load(task.heartbeat, heartbeat.isDebugged) !== 0
  const reportFailure = (message: string, cause?: unknown): void =>
    post({ kind: 'reported', message: cause === undefined ? message : `${message}: ${cause}` })
  const serveDiagnostics =
    task.diagnostics &&
    createDiagnosticsServer(
      diagnosticRoutes(run, task.diagnostics.profile, isDebugged),
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
    readMainThreadStack((frames) => {
      begun.stack = frames
      writeStall(frames)
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
    const details = { error: describeStall(), ...(task.showStack && stack.length > 0 && { stack }) }
    const body = JSON.stringify({ status: 'DOWN', details })
    return { status: 503, headers: { ...task.stallHeaders, 'Content-Length': String(Buffer.byteLength(body)) }, body }
  }

  function describeStall(): string {
    return `the event loop has been blocked for ${Math.round(detector.blockedMilliseconds)}ms`
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function post(message: WatchdogMessage): void {
  parentPort?.postMessage(message)
}

import type { Worker } from 'node:worker_threads'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { failure, optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { isDenied, requireListening } from '../base/permissions.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { Availability } from '../lifecycle/availability.ts'
import type { Refuse } from '../lifecycle/client-error.ts'
import type { DiagnosticThread } from './diagnostics/diagnostics.ts'
import { isDebugged } from './diagnostics/mechanisms.ts'
import { healthHeaders, prepareResponses } from './prepared-responses.ts'
import { profileSettings } from './profile/profile-options.ts'
import { announceCapture } from './recorder/capture.ts'
import { type RecorderOptions, recorderSettings } from './recorder/recorder-options.ts'
import { beatTime, heartbeat, type WatchdogMessage, type WatchdogTask } from './thread-protocol.ts'

/** Options of `watchdog`. */
export interface WatchdogOptions {
  /** 0 selects a free port. */
  readonly port: number
  /** @default '127.0.0.1' */
  readonly host?: string | undefined
  /** How long the event loop may be blocked before the probe responds with 503. @default '5s' */
  readonly stall?: Duration | undefined
  /** The base path of the management. @default '/management' */
  readonly basePath?: string | undefined
  /**
   * With a token, `profile`, `pprof`, `threaddump` and `captures` are served on this port, also while the loop is
   * blocked. Callers send it as a bearer token, or as the password of any user. Several allow rotation. @default none
   */
  readonly token?: string | readonly string[] | undefined
  /** Whether the response contains the functions and files that block the event loop. @default true */
  readonly showStack?: boolean | undefined
  /** Called when a stall has ended, with its duration and stack. @default that of the management */
  readonly report?: Report | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  address: 'host',
  hostname: 'host',
  timeout: 'stall',
  threshold: 'stall',
  maxDelay: 'stall',
  path: 'basePath',
  prefix: 'basePath',
  authorize: 'token',
}

/** The part of a management that a watchdog needs. */
export interface WatchedManagement {
  readonly availability: Availability
  /** Called when a stall has ended. @default console.error */
  readonly report?: Report | undefined
  /** The diagnostics, which then run in the thread of the watchdog. @default none */
  readonly diagnostics?: DiagnosticThread | undefined
}

/** A running watchdog. */
export interface Watchdog {
  readonly port: number
  /** Stops the thread and closes the port. */
  close(): Promise<void>
}

/**
 * Serves `health/liveness` on a separate port, from a separate thread. Responds with 503 while the event loop of the
 * calling thread has been blocked for longer than `stall`, with the duration and the stack, and with 200 again
 * afterwards. Does not keep the process alive. Rejects if the port is not available, or if Node's permission model does
 * not permit it.
 *
 * The stack is read through the inspector; not while a debugger is attached, and not inside a system call. It is also
 * written to standard error immediately, because a process that is killed while it is blocked cannot report it.
 *
 * @throws RangeError if `stall` is not a duration.
 */
export async function startWatchdog(
  refuse: Refuse,
  { availability, report: inherited = reportToConsole, diagnostics }: WatchedManagement,
  options: WatchdogOptions,
): Promise<Watchdog> {
  requireKnownOptions('watchdog', options, ['port', 'host', 'stall', 'basePath', 'token', 'showStack', 'report'], {
    foreignNames,
  })
  const { port, host = '127.0.0.1', stall = '5s', basePath = '/management', showStack = true, token } = options
  requireListening('watchdog')
  if (isDenied('worker'))
    throw failure('UPKEEP_EPERMISSION', 'watchdog: starting a thread requires the permission --allow-worker')
  const report = contain(options.report ?? inherited)
  const stallMilliseconds = durationMilliseconds(stall, 'watchdog: stall')
  const served = servedDiagnostics(token, basePath, diagnostics)
  const recorder =
    diagnostics?.recorder && recorderSettings(diagnostics.recorder, profileSettings(diagnostics.profile ?? {}), report)
  const blockMilliseconds = recorder?.blockedLoopMilliseconds ?? Number.POSITIVE_INFINITY
  const beatMilliseconds = Math.max(5, Math.min(stallMilliseconds / 10, blockMilliseconds / 4, 250))
  const state = new Int32Array(new SharedArrayBuffer(heartbeat.length * Int32Array.BYTES_PER_ELEMENT))

  const beat = (): void => {
    // Before the counter: the thread reads the time when the counter has changed.
    Atomics.store(state, heartbeat.beatTime, beatTime(Date.now()))
    Atomics.add(state, heartbeat.beats, 1)
    Atomics.store(state, heartbeat.isDebugged, isDebugged() ? 1 : 0)
  }
  const storeLiveness = (): void => {
    Atomics.store(state, heartbeat.isBroken, availability.liveness === 'BROKEN' ? 1 : 0)
  }
  const expectBlock = (milliseconds: number) => {
    Atomics.store(state, heartbeat.expectedBlock, Math.min(milliseconds, maxExpectedBlock))
    return () => {
      beat()
      Atomics.store(state, heartbeat.expectedBlock, 0)
    }
  }
  beat()
  storeLiveness()
  const unsubscribe = availability.onChange(storeLiveness)
  const timer = setInterval(beat, beatMilliseconds).unref()

  const root = basePath === '/' ? '' : basePath
  const task: WatchdogTask = {
    heartbeat: state,
    host,
    port,
    path: `${root}/health/liveness`,
    stallMilliseconds,
    beatMilliseconds,
    showStack,
    responses: prepareResponses(refuse),
    diagnostics: served,
    recorder,
    capturesPath: `${root}/captures`,
    stallHeaders: healthHeaders,
  }
  // Loaded when it is needed: the program is long.
  const { startThread } = await import('./start-thread.ts')
  const { worker, port: operations } = startThread(task)
  const detach = diagnostics?.attach(operations, expectBlock) ?? (() => operations.close())

  worker.on('message', (message: WatchdogMessage) => receive(message, report, diagnostics?.recorder))
  const close = async (): Promise<void> => {
    clearInterval(timer)
    unsubscribe()
    detach()
    await worker.terminate()
  }
  try {
    const actualPort = await untilListening(worker)
    worker.on('error', (error) => report('watchdog: the thread failed', error))
    worker.unref()
    return { port: actualPort, close }
  } catch (error) {
    await close()
    throw error
  }
}

function servedDiagnostics(
  token: WatchdogOptions['token'],
  basePath: string,
  diagnostics: DiagnosticThread | undefined,
): WatchdogTask['diagnostics'] {
  if (token === undefined) return undefined
  const tokens = [token].flat()
  // The message does not contain the token, because it may be logged.
  if (tokens.length === 0 || tokens.some((each) => !/^[\x21-\x7e]+$/.test(each))) {
    throw optionOutOfRange('watchdog: token: expected visible ASCII characters without white space')
  }
  return { basePath, tokens, profile: profileSettings(diagnostics?.profile ?? {}) }
}

/** The shared memory has numbers of 32 bits. */
const maxExpectedBlock = 2 ** 31 - 1

/** Resolves with the port on which the thread listens. */
function untilListening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', function receiveFirst(message: WatchdogMessage) {
      if (message.kind !== 'listening' && message.kind !== 'failed') return
      worker.off('error', reject)
      worker.off('message', receiveFirst)
      if (message.kind === 'listening') resolve(message.port)
      else reject(failure('UPKEEP_ESTATE', `watchdog: ${message.message}`))
    })
  })
}

function receive(message: WatchdogMessage, report: Report, recorder: RecorderOptions | undefined): void {
  if (message.kind === 'reported') report(message.message)
  else if (message.kind === 'captured') announceCapture(message.capture, report, recorder?.onCapture)
  else if (message.kind === 'stallEnded') reportStall(message, report)
}

function reportStall(message: Extract<WatchdogMessage, { kind: 'stallEnded' }>, report: Report): void {
  const stack = message.stack.map((frame) => `\n    ${frame}`).join('')
  report(`watchdog: the event loop was blocked for ${message.blockedMilliseconds}ms${stack}`)
}

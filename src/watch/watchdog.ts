import { Worker } from 'node:worker_threads'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import { cachingHeaders } from '../http/conventions/caching.ts'
import type { ManagementResponse } from '../http/message.ts'
import type { Availability } from '../lifecycle/availability.ts'
import type { Refuse } from '../lifecycle/refuse.ts'
import { heartbeat, type WatchdogNews, type WatchdogTask, watchdogProgram } from './watchdog-worker.ts'

export interface WatchdogOptions {
  /** 0 for one that is free. */
  readonly port: number
  /** @default '127.0.0.1' */
  readonly host?: string | undefined
  /** How long the event loop may stand still. @default '5s' */
  readonly stall?: Duration | undefined
  /** Of the endpoints whose liveness it answers. @default '/management' */
  readonly basePath?: string | undefined
  /** Whether the answer names the functions and files that block the loop. @default true */
  readonly showStack?: boolean | undefined
  /** Called when the loop turns again, with how long it was blocked. @default that of the management */
  readonly report?: Report | undefined
}

/** The part of a management that a watchdog needs. */
export interface WatchedManagement {
  readonly availability: Availability
  readonly report?: Report | undefined
}

/** A watchdog that watches. */
export interface Watchdog {
  readonly port: number
  close(): Promise<void>
}

/**
 * Answers `health/liveness` on a port of its own, from a thread of its own: 503 while the event loop of the thread that
 * calls this has not turned for longer than `stall`, with how long and by what it is blocked, and 200 again when it turns.
 * Keeps no process alive. Rejects when it cannot listen there.
 *
 * Where the loop stands is read through the inspector, and not while a debugger is attached or inside a system call. It
 * also goes to standard error at once, because a process that is killed while it stands still reports nothing.
 *
 * @throws RangeError when `stall` is no duration.
 */
export async function startWatchdog(
  refuse: Refuse,
  { availability, report: inherited = reportToConsole }: WatchedManagement,
  { port, host = '127.0.0.1', stall = '5s', basePath = '/management', showStack = true, ...options }: WatchdogOptions,
): Promise<Watchdog> {
  const report = contain(options.report ?? inherited)
  const stallMilliseconds = durationMilliseconds(stall, 'stall')
  const beatMilliseconds = Math.max(5, Math.min(stallMilliseconds / 10, 250))
  const state = new Int32Array(new SharedArrayBuffer(heartbeat.length * Int32Array.BYTES_PER_ELEMENT))
  const isDebugged = await debuggerDetector()

  const beat = (): void => {
    Atomics.add(state, heartbeat.beats, 1)
    Atomics.store(state, heartbeat.debugged, isDebugged() ? 1 : 0)
  }
  const markBroken = (): void => {
    Atomics.store(state, heartbeat.broken, availability.liveness === 'BROKEN' ? 1 : 0)
  }
  beat()
  markBroken()
  const forget = availability.onChange(markBroken)
  const heart = setInterval(beat, beatMilliseconds).unref()

  const task: WatchdogTask = {
    heartbeat: state,
    host,
    port,
    path: `${basePath === '/' ? '' : basePath}/health/liveness`,
    stallMilliseconds,
    beatMilliseconds,
    showStack,
    answers: prepareAnswers(refuse),
    stallHeaders: healthHeaders,
  }
  // Without the options and the environment of the process, so that nothing that is loaded ahead there is loaded twice.
  const worker = new Worker(watchdogProgram, { eval: true, workerData: task, execArgv: [], env: {} })

  const close = async (): Promise<void> => {
    clearInterval(heart)
    forget()
    await worker.terminate()
  }
  try {
    const listening = await firstNews(worker)
    worker.on('message', (news: WatchdogNews) => reportStall(news, report))
    worker.on('error', (error) => report('the watchdog failed', error))
    worker.unref()
    return { port: listening, close }
  } catch (error) {
    await close()
    throw error
  }
}

const healthHeaders = { 'Content-Type': 'application/json', ...cachingHeaders('no-store', 0) }

function prepareAnswers(refuse: Refuse): WatchdogTask['answers'] {
  const allow = { Allow: 'GET, HEAD, OPTIONS' }
  return {
    alive: answerHealth(200, 'UP'),
    broken: answerHealth(503, 'DOWN'),
    options: { status: 204, headers: allow, body: null },
    notFound: refuse(404, 'Resource not found.'),
    notAllowed: refuse(405, 'Method not allowed; use GET, HEAD or OPTIONS.', allow),
  }
}

function answerHealth(status: number, health: string): ManagementResponse {
  const body = JSON.stringify({ status: health })
  return { status, headers: { ...healthHeaders, 'Content-Length': String(body.length) }, body }
}

/** Whether somebody debugs this process; Node may be built without an inspector. */
async function debuggerDetector(): Promise<() => boolean> {
  try {
    const { url } = await import('node:inspector')
    return () => url() !== undefined
  } catch {
    return () => false
  }
}

/** The port that the thread listens on, once it does. */
function firstNews(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (news: WatchdogNews) => {
      worker.off('error', reject)
      if (news.kind === 'listening') resolve(news.port)
      else reject(new Error(news.kind === 'unable' ? `the watchdog cannot listen: ${news.message}` : news.kind))
    })
  })
}

function reportStall(news: WatchdogNews, report: Report): void {
  if (news.kind !== 'turned') return
  const where = news.stack.map((frame) => `\n    ${frame}`).join('')
  report(`the event loop turns again after it was blocked for ${news.blockedMilliseconds}ms${where}`)
}

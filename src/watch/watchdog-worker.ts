import type { ManagementResponse } from '../http/message.ts'

/** What the watchdog's thread is started with. */
export interface WatchdogTask {
  /** Of shared memory: the {@link heartbeat}. */
  readonly heartbeat: Int32Array
  readonly host: string
  readonly port: number
  /** Where the probe is answered. */
  readonly path: string
  readonly stallMilliseconds: number
  /** How often the heart beats, and how often the watchdog listens to it. */
  readonly beatMilliseconds: number
  readonly showStack: boolean
  /** Answers made beforehand: the thread knows no rule of HTTP. */
  readonly answers: Readonly<Record<'alive' | 'broken' | 'options' | 'notFound' | 'notAllowed', ManagementResponse>>
  /** The header fields of an answer about a stall. */
  readonly stallHeaders: Readonly<Record<string, string>>
}

/** What stands where in the shared memory. */
export const heartbeat: Readonly<Record<'beats' | 'broken' | 'debugged' | 'length', number>> = {
  beats: 0,
  broken: 1,
  debugged: 2,
  length: 3,
}

/** What the watchdog's thread tells. */
export type WatchdogNews =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'unable'; readonly message: string }
  | { readonly kind: 'turned'; readonly blockedMilliseconds: number; readonly stack: readonly string[] }

/**
 * The program of the watchdog's thread. It is text so that it needs no file of its own, which a bundler would lose, and
 * runs alike from ESM, CommonJS and a service in one file. CommonJS, as Node evaluates it.
 */
export const watchdogProgram: string = `'use strict'
const { writeSync } = require('node:fs')
const { createServer } = require('node:http')
const { parentPort, workerData: task } = require('node:worker_threads')

let beats = 0      // the last that was heard
let blocked = 0    // milliseconds without a new one
let stack          // of a stall, once it is read
let stalled = false

let latest = performance.now()
setInterval(() => {
  const now = performance.now()
  // What passes while this thread stands still too, as in a process that is frozen, counts for next to nothing.
  const passed = Math.min(now - latest, 2 * task.beatMilliseconds)
  latest = now
  const heard = Atomics.load(task.heartbeat, ${heartbeat.beats})
  if (heard === beats) {
    blocked += passed
    // The loop may have turned unheard for as long as one beat takes.
    if (!stalled && blocked > task.stallMilliseconds + task.beatMilliseconds) stall()
  } else {
    if (stalled) parentPort.postMessage({ kind: 'turned', blockedMilliseconds: Math.round(blocked), stack: stack ?? [] })
    beats = heard
    blocked = 0
    stalled = false
    stack = undefined
  }
}, task.beatMilliseconds)

function stall() {
  stalled = true
  const during = beats
  // Whoever debugs the process would be sent on from where they stopped it.
  if (Atomics.load(task.heartbeat, ${heartbeat.debugged}) !== 0) return say([])
  readStack((frames) => {
    if (during === beats) stack = frames
    say(frames)
  })
}

// Straight to standard error: the main thread, through which a worker's console goes, can be blocked until it is killed.
function say(frames) {
  const lines = ['upkeep: the event loop has been blocked for ' + Math.round(blocked) + 'ms', ...frames]
  try {
    writeSync(2, lines.join('\\n    ') + '\\n')
  } catch {}
}

// Stops the main thread for a moment to see where it is. Inside a system call it cannot be stopped: then nothing is read.
function readStack(done) {
  let session
  try {
    const { Session } = require('node:inspector')
    session = new Session()
    session.connectToMainThread()
  } catch {
    return done([])
  }
  const files = new Map()
  const patience = setTimeout(end, 1000, [])
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.slice(0, 20).map(({ functionName, location }) => {
      const at = files.get(location.scriptId) + ':' + (location.lineNumber + 1) + ':' + ((location.columnNumber ?? 0) + 1)
      return 'at ' + (functionName === '' ? at : functionName + ' (' + at + ')')
    })
    session.post('Debugger.resume', () => end(frames))
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')

  function end(frames) {
    clearTimeout(patience)
    session.disconnect()
    done(frames)
  }
}

const limits = { headersTimeout: 2000, requestTimeout: 2000, connectionsCheckingInterval: 500, keepAliveTimeout: 1000 }
const server = createServer(limits, (request, response) => {
  const { status, headers, body } = choose(request)
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
})

function choose({ method, url }) {
  const { alive, broken, options, notFound, notAllowed } = task.answers
  if (url.split('?')[0] !== task.path) return notFound
  if (method === 'OPTIONS') return options
  if (method !== 'GET' && method !== 'HEAD') return notAllowed
  if (stalled) return answerStall()
  return Atomics.load(task.heartbeat, ${heartbeat.broken}) === 0 ? alive : broken
}

function answerStall() {
  const error = 'the event loop has been blocked for ' + Math.round(blocked) + 'ms'
  const shown = task.showStack && stack !== undefined && stack.length > 0 ? { stack } : {}
  const body = JSON.stringify({ status: 'DOWN', details: { error, ...shown } })
  return { status: 503, headers: { ...task.stallHeaders, 'Content-Length': Buffer.byteLength(body) }, body }
}

server.once('error', ({ message }) => parentPort.postMessage({ kind: 'unable', message }))
server.listen(task.port, task.host, () => parentPort.postMessage({ kind: 'listening', port: server.address().port }))
`

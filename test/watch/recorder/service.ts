import { resolve } from 'node:path'
import type { ManagementOptions } from 'upkeep'
import type { Capture } from 'upkeep/node'
import { expect, onTestFinished } from 'vitest'
import { type Child, startChild } from '../../support/child.ts'
import { createRawClient, type RawResponse } from '../../support/raw-client.ts'
import { releaser, untilLooping } from '../releaser.ts'

const program = `${releaser}
  import { readFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import { setTimeout } from 'node:timers/promises'
  import { bearerToken, createManagement } from 'upkeep'
  import { createLogger } from 'upkeep/logging'
  import { handleErrors, manage, observe, watchdog } from 'upkeep/node'
  const { recorder, stall = '600ms', survives = false } = JSON.parse(process.argv[1])
  const report = (message, cause) => console.log('reported ' + message + (cause === undefined ? '' : ': ' + cause))
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const management = createManagement({
    expose: ['health', 'captures', 'heapdump', 'profile', 'metrics', 'console'],
    heapdump: { factor: 1 },
    authorize: bearerToken('let-me-in'),
    profile: { interval: '1ms', heapInterval: 16_384 },
    recorder: { ...recorder, onCapture: (capture) => console.log('captured ' + JSON.stringify(capture)) },
    loggers: logger.loggers,
    report,
  })
  if (survives) process.on('uncaughtException', () => console.log('survived'))
  function burnTheLoop() {
    sayLooping()
    for (let at = 0; isLooping(); at++) Math.sqrt(at)
  }
  const canary = process.env.CANARY ?? 'nothing'
  const kept = []
  function keepMemory() {
    kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at, text: canary + at })))
  }
  const operations = {
    async burn() {
      await startReleaser()
      // Several beats, so that a block of the start has ended: one that continues it would be the same block.
      await setTimeout(500)
      burnTheLoop()
    },
    read: (path) => readFileSync(path, 'utf8'),
    grow: () => kept.push(Array.from({ length: 200_000 }, (_, at) => ({ at, list: [at] }))),
    fail: () => setImmediate(function explode() {
      const error = new TypeError(canary, { cause: new Error('    at ' + canary + ' (/x.js:1:1)') })
      error.name = canary
      throw Object.assign(error, { code: 'E_BROKEN', [canary]: canary, query: canary })
    }),
    reject: () => { Promise.reject(new RangeError(canary)) },
    log: (times) => {
      for (let time = 0; time < times; time += 1) logger.error(canary, { canary, error: new Error(canary) })
    },
    keep: () => setInterval(keepMemory, 20),
    end: () => process.stdin.destroy(),
  }
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.trim().split('\\n')) {
      const [name, argument] = line.split(' ')
      operations[name](argument)
    }
  })
  const route = ({ url }) => '/orders/:id/' + url.split('?')[0].split('/').at(-1)
  const handle = handleErrors(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://x')
    if (pathname.endsWith('/slow')) await setTimeout(Number(searchParams.get('ms')))
    if (pathname.endsWith('/events')) res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\\n\\n')
    if (pathname.endsWith('/set-events')) res.setHeader('content-type', 'text/event-stream')
    if (pathname.endsWith('events')) await setTimeout(600)
    if (pathname.endsWith('/fail')) throw Object.assign(new Error(canary), { code: 'E_FAILED' })
    res.end()
  }, { report: () => {} })
  const observed = observe(management, { route })
  const application = (req, res) => observed(req, res, () => handle(req, res))
  const server = createServer((req, res) => manage(management)(req, res, () => application(req, res)))
  server.unref().listen(0, '127.0.0.1', async () => {
    const dog = await watchdog(management, { port: 0, stall, token: 'let-me-in' })
    console.log('ports ' + server.address().port + ' ' + dog.port)
  })
`

interface ServiceOptions {
  readonly recorder?: ManagementOptions['recorder']
  readonly stall?: string
  /** Whether the process goes on after an uncaught exception. */
  readonly survives?: boolean
  /** Of Node. */
  readonly flags?: readonly string[]
  /** Arguments of the program. */
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** A command that runs the process. */
  readonly within?: readonly string[]
}

interface BurnOptions {
  /** `false` where the main thread must not be inspected. Default: `true` */
  readonly hasStack?: boolean
}

type Send = (path: string) => Promise<RawResponse>

/** A process with a flight recorder. */
export interface RecordedService {
  readonly child: Child
  readonly watchdogPort: number
  /** Calls an operation of the process, such as `fail`. */
  readonly perform: (operation: string) => void
  /** Resolves when the watchdog has seen, for 1.5 s of its own time, that the main thread is blocked. */
  readonly untilBlocked: () => Promise<void>
  /** Blocks the main thread in `burnTheLoop`, until its stack is known; resolves with a function that ends that. */
  readonly burn: (options?: BurnOptions) => Promise<() => Promise<unknown>>
  /** Blocks the main thread so, and ends that. */
  readonly burnAWhile: (options?: BurnOptions) => Promise<void>
  /** Requests a path below the base path with credentials: from the management, and from the watchdog. */
  readonly send: Send
  readonly sendToWatchdog: Send
  /** Requests a target of the application. */
  readonly request: (target: string, headers?: Readonly<Record<string, string>>) => Promise<RawResponse>
}

/** Starts a process with the built package. It ends with the test. */
export async function startRecorded({
  flags = [],
  args = [],
  within = [],
  env = {},
  ...options
}: ServiceOptions = {}): Promise<RecordedService> {
  const cwd = resolve(import.meta.dirname, '../../../build')
  const command = [process.execPath, ...flags, '--input-type=module', '-e', program, JSON.stringify(options), ...args]
  const [file = '', ...words] = [...within, ...command]
  const child = startChild(file, words, { cwd, env: { ...process.env, ...env } })
  onTestFinished(() => child.kill())
  const [, port, watchdogPort] = (await child.out.line(/^ports /)).split(' ')
  const sendToWatchdog = sendTo(Number(watchdogPort))
  const perform = (operation: string) => child.writeInput(`${operation}\n`)
  const untilBlocked = async () => {
    const blocked = async () =>
      Number(/blocked for (\d+)ms/.exec((await sendToWatchdog('health/liveness')).body)?.[1] ?? 0)
    await expect.poll(blocked).toBeGreaterThan(1_500)
  }
  let loops = 0
  const burn = async ({ hasStack = true }: BurnOptions = {}) => {
    perform('burn')
    loops += 1
    const release = await untilLooping(child, loops)
    await untilBlocked()
    // On a machine that is overloaded the main thread takes a while to send its stack.
    if (hasStack) await expect.poll(async () => (await sendToWatchdog('health/liveness')).body).toContain('burnTheLoop')
    return release
  }
  return {
    ...{ child, perform, sendToWatchdog, untilBlocked, burn },
    watchdogPort: Number(watchdogPort),
    send: sendTo(Number(port)),
    burnAWhile: async (options) => void (await (await burn(options))()),
    request: (target, headers = {}) => createRawClient(Number(port))({ target, headers }),
  }
}

/** Returns the n-th capture that the process announces, past or future, and whose JSON matches. */
export async function nextCapture({ child }: RecordedService, matches = /"rule"/, nth = 1): Promise<Capture> {
  return JSON.parse((await child.out.line(new RegExp(`^captured .*${matches.source}`), nth)).slice('captured '.length))
}

function sendTo(port: number): Send {
  const client = createRawClient(port)
  return (path) => client({ target: `/management/${path}`, headers: { authorization: 'Bearer let-me-in' } })
}

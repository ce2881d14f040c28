import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Child, startChild } from '../support/child.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'
import { releaser, untilLooping } from './releaser.ts'

/**
 * Each line of its input begins something: `loop` (until another thread receives a connection), `read PATH`, `sample`
 * and `stop` (a profile of the application's own), `inspect` (a thread enables the debugger of the main thread).
 */
const program = `${releaser}
  import { readFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import { Session } from 'node:inspector/promises'
  import { bearerToken, createManagement } from 'upkeep'
  import { manage, watchdog } from 'upkeep/node'
  const { heapdump, stall, objects = 0, strings = 0, burns = false } = JSON.parse(process.argv[1])
  class RetainedOrder {
    constructor(at) {
      this.at = at
      this.next = [at]
    }
  }
  globalThis.kept = Array.from({ length: objects }, (_, at) => new RetainedOrder(at))
  globalThis.texts = Array.from({ length: strings }, (_, at) => Buffer.alloc(1_000, String(at)).toString('latin1'))
  if (burns) {
    const code = \`function burn() {
        require('node:worker_threads').parentPort.postMessage('burns')
        for (;;);
      }
      burn()\`
    const burner = new Worker(code, { eval: true, execArgv: [], name: 'burner' })
    await once(burner, 'message')
    burner.unref()
  }
  const management = createManagement({
    expose: ['health', 'heapdump', 'threaddump', 'profile'],
    authorize: bearerToken('let-me-in'),
    audit: () => {},
    profile: { interval: '1ms' },
    heapdump: { factor: 1, ...heapdump },
    report: (message) => console.log('reported ' + message),
  })
  const dog = stall === undefined ? undefined : await watchdog(management, { port: 0, stall, token: 'let-me-in' })

  function loopForever() {
    sayLooping()
    while (isLooping());
  }

  function work() {
    let sum = 0
    for (let at = 0; at < 20_000; at++) sum = Math.imul(sum ^ at, 31) + 7
    return sum
  }

  let session
  const actions = {
    async loop() {
      await startReleaser()
      setImmediate(loopForever)
    },
    read: (path) => readFileSync(path, 'utf8'),
    async sample() {
      session = new Session()
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.start')
      console.log('begins sample')
    },
    inspect() {
      const code = \`const session = new (require('node:inspector').Session)()
        session.connectToMainThread()
        session.post('Debugger.enable', () => console.log('inspects'))
        setInterval(() => {}, 60_000)\`
      new Worker(code, { eval: true, execArgv: [], name: 'inspector' }).unref()
    },
    async stop() {
      const { profile } = await session.post('Profiler.stop')
      console.log('samples ' + profile.samples.length)
    },
  }
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const [name, argument] = text.trim().split(' ')
    void actions[name](argument)
  })

  const managed = manage(management)
  const server = createServer((request, response) => managed(request, response, () => response.end(String(work()))))
  server.listen(0, '127.0.0.1', () =>
    console.log(['ports', server.address().port, dog?.port ?? 0].join(' ')))
`

interface ServiceOptions {
  readonly heapdump?: object
  /** Starts a watchdog, with profiles on its port. */
  readonly stall?: string
  /** How many objects its heap has in addition. */
  readonly objects?: number
  /** How many strings of 1 kB its heap has in addition. */
  readonly strings?: number
  /** Whether it has a worker thread in an endless loop. */
  readonly burns?: boolean
  /** Flags of Node. */
  readonly flags?: readonly string[]
  /** A command that runs the rest of its arguments. */
  readonly within?: readonly string[]
}

export interface Service {
  readonly child: Child
  readonly port: number
  /** 0 without a watchdog. */
  readonly watchdogPort: number
  /** Requests a path below that of the management, with credentials. */
  readonly send: (path: string, accept?: string) => Promise<RawResponse>
  /** Requests a path of the port of the watchdog. */
  readonly sendWatchdog: (path: string) => Promise<RawResponse>
  /** Requests liveness from the watchdog. */
  readonly probe: () => Promise<RawResponse>
  /** Puts the main thread into an endless loop; resolves with a function that ends it, from outside. */
  readonly loop: () => Promise<() => Promise<unknown>>
}

/** Starts a process with the built package, in which the event loop can be blocked. It ends with the test. */
export async function startService({ flags = [], within = [], ...options }: ServiceOptions): Promise<Service> {
  const cwd = resolve(import.meta.dirname, '../../build')
  const command = [process.execPath, ...flags, '--input-type=module', '-e', program, JSON.stringify(options)]
  const [file = '', ...words] = [...within, ...command]
  const child = startChild(file, words, { cwd })
  onTestFinished(() => child.kill())
  const [, port, watchdogPort] = (await child.out.line(/^ports /)).split(' ')
  const toMain = createRawClient(Number(port))
  const toWatchdog = createRawClient(Number(watchdogPort))
  const authorization = 'Bearer let-me-in'
  let loops = 0
  return {
    child,
    port: Number(port),
    watchdogPort: Number(watchdogPort),
    send: (path, accept = '*/*') => toMain({ target: `/management/${path}`, headers: { authorization, accept } }),
    sendWatchdog: (path) => toWatchdog({ target: `/management/${path}`, headers: { authorization } }),
    probe: () => toWatchdog({ target: '/management/health/liveness' }),
    async loop() {
      child.writeInput('loop\n')
      loops += 1
      return untilLooping(child, loops)
    },
  }
}

/** Requests liveness from the watchdog again and again, until something has settled. Returns the statuses. */
export async function probeUntil(settled: Promise<unknown>, probe: Service['probe']): Promise<ReadonlySet<number>> {
  let isSettled = false
  const end = () => {
    isSettled = true
  }
  settled.then(end, end)
  const statuses = new Set<number>()
  while (!isSettled) {
    statuses.add((await probe()).status)
    await setTimeout(20)
  }
  return statuses
}

/**
 * Probes as a kubelet does, until it is over: each second, with a timeout of one second. Resolves with the failures in
 * sequence at most; three would restart the container.
 */
export async function probeLikeKubelet(probe: Service['probe'], isOver: () => boolean): Promise<number> {
  let [failures, most] = [0, 0]
  while (!isOver()) {
    const status = await Promise.race([probe().then((response) => response.status), setTimeout(1_000, 0)])
    failures = status === 200 ? 0 : failures + 1
    most = Math.max(most, failures)
    await setTimeout(1_000)
  }
  return most
}

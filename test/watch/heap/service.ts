import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Child, startChild } from '../../support/child.ts'
import { createRawClient, type RawResponse } from '../../support/raw-client.ts'

const program = `
  import { createServer } from 'node:http'
  import { Worker } from 'node:worker_threads'
  import { bearerToken, createManagement } from 'upkeep'
  import { manage, watchdog } from 'upkeep/node'
  const { heapdump, stall, objects = 0, strings = 0, burns = false } = JSON.parse(process.argv[1])
  globalThis.kept = Array.from({ length: objects }, (_, at) => ({ at, next: [at] }))
  globalThis.texts = Array.from({ length: strings }, (_, at) => Buffer.alloc(1_000, String(at)).toString('latin1'))
  if (burns) new Worker('function burn() { for (;;); }; burn()', { eval: true, name: 'burner' }).unref()
  const management = createManagement({
    expose: ['health', 'heapdump', 'threaddump'],
    authorize: bearerToken('let-me-in'),
    heapdump: { factor: 1, ...heapdump },
    report: (message) => console.log('reported ' + message.split('\\n')[0]),
  })
  const dog = stall === undefined ? undefined : await watchdog(management, { port: 0, stall })
  const server = createServer(manage(management)).listen(0, '127.0.0.1', () =>
    console.log('ports ' + server.address().port + ' ' + (dog?.port ?? 0)))
`

interface ServiceOptions {
  readonly heapdump?: object
  /** Starts a watchdog. */
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

interface Service {
  readonly child: Child
  readonly port: number
  /** Requests a path below that of the management, with credentials. */
  readonly send: (path: string, accept?: string) => Promise<RawResponse>
  /** Requests liveness from the watchdog. */
  readonly probe: () => Promise<RawResponse>
}

/** Starts a process with the built package, in which the event loop can be blocked. It ends with the test. */
export async function startService({ flags = [], within = [], ...options }: ServiceOptions): Promise<Service> {
  const cwd = resolve(import.meta.dirname, '../../../build')
  const command = [process.execPath, ...flags, '--input-type=module', '-e', program, JSON.stringify(options)]
  const [file = '', ...words] = [...within, ...command]
  const child = startChild(file, words, { cwd })
  onTestFinished(() => child.kill())
  const [, port, watchdogPort] = (await child.out.line(/^ports /)).split(' ')
  const client = createRawClient(Number(port))
  const probe = createRawClient(Number(watchdogPort))
  return {
    child,
    port: Number(port),
    send: (path, accept = '*/*') =>
      client({ target: `/management/${path}`, headers: { authorization: 'Bearer let-me-in', accept } }),
    probe: () => probe({ target: '/management/health/liveness' }),
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

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { WhyDocument } from '../../src/console/why/why-document.ts'
import type { Incident } from './incident.ts'
import type { Command } from './serve.ts'

const minute = 60_000

/** The service of an incident, while that lasts. */
export interface Service {
  readonly port: number
  /** Sends as many requests. */
  readonly load: (count: number) => Promise<void>
}

/** Runs the program of an incident, and returns what the service says while the incident lasts. */
export async function runIncident(incident: Incident, program: string): Promise<WhyDocument> {
  const agent = new Agent()
  const ask = async ({ port }: Service) => JSON.parse((await get(port, '/management/why', agent)).body)
  return duringIncident(incident, program, ask)
}

/** Runs the program of an incident, and asks its service while the incident lasts. */
export async function duringIncident<T>(
  incident: Incident,
  program: string,
  ask: (service: Service) => Promise<T>,
): Promise<T> {
  const child = fork(program, {
    execArgv: [...(incident.nodeOptions ?? [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const agent = new Agent({ keepAlive: true })
  try {
    const [{ port }] = await once(child, 'message')
    const tell = (command: Command) => follow(child, command)
    const [before, during] = incident.requests ?? [40, 40]
    const {
      minutesBefore = 12,
      minutes = 2,
      seconds = 0,
      concurrency = 4,
      pathOf = (number: number) => `/orders/${number}`,
    } = incident
    let sent = 0
    const load = (count: number) => inParallel(count, concurrency, () => get(port, pathOf(sent++), agent))
    for (let at = 0; at < minutesBefore; at++) {
      await load(before)
      await tell({ kind: 'advance', milliseconds: minute })
    }
    await tell({ kind: 'begin' })
    await tell({ kind: 'shift-wall-clock', milliseconds: incident.wallClockShift ?? 0 })
    for (let at = 0; at < minutes; at++) {
      if (at > 0) await tell({ kind: 'advance', milliseconds: minute })
      await load(during)
    }
    const end = performance.now() + 1_000 * seconds
    while (performance.now() < end) await load(8)
    const last = load(concurrency)
    const answer = await ask({ port, load })
    await last
    return answer
  } finally {
    agent.destroy()
    child.kill()
  }
}

async function follow(child: ChildProcess, command: Command): Promise<void> {
  const done = once(child, 'message')
  child.send(command)
  await done
}

/** Calls a function `count` times, `concurrency` times at once. */
async function inParallel(count: number, concurrency: number, call: () => Promise<unknown>): Promise<void> {
  let started = 0
  const client = async () => {
    while (started < count) {
      started += 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
}

function get(port: number, path: string, agent: Agent): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = path.startsWith('/management') ? { authorization: 'Bearer let-me-in' } : {}
    const req = request({ port, host: '127.0.0.1', path, headers, agent }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }))
      res.on('error', reject)
    })
    req.on('error', reject).end()
  })
}

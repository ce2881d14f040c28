import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Child, startChild } from '../../support/child.ts'
import { freePort } from '../../support/free-port.ts'
import type { Application } from './application.ts'

/** What is seen of an application from outside, without what differs between any two runs. */
export interface Run {
  readonly ended: number | NodeJS.Signals | null
  readonly out: readonly string[]
  readonly err: readonly string[]
  readonly responses: readonly unknown[]
}

/** Starts an application, sends its requests, and stops it by SIGTERM. */
export async function runApplication(
  application: Application,
  program: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  whileRunning: (child: Child) => Promise<void> = async () => undefined,
): Promise<Run> {
  const port = await freePort()
  const child = startChild(process.execPath, application.start(port, program), {
    cwd: join(folder, application.cwd ?? '.'),
    // Not the variables of this process: in a test runner, upkeep/auto does nothing.
    env: { PATH: process.env['PATH'], HOME: folder, PORT: String(port), HOSTNAME: '127.0.0.1', ...env },
  })
  onTestFinished(() => child.kill())
  const normalize = (text: string) => withoutVariations(text, port, child.process.pid, application.varies)
  await listening(child, port)
  const responses: unknown[] = []
  for (const [path, init] of application.requests) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const headers = [...response.headers].filter(([name]) => name !== 'date')
    const body = await response.text()
    responses.push({ status: response.status, headers: normalize(JSON.stringify(headers)), body: normalize(body) })
  }
  const { lastLine } = application
  const hasPrinted = () => lastLine === undefined || child.out.lines.some((line) => lastLine.test(line))
  await expect.poll(hasPrinted, { timeout: 180_000 }).toBe(true)
  await whileRunning(child)
  child.process.kill('SIGTERM')
  const ended = await child.ended
  const lines = (all: readonly string[]) => {
    const normalized = all.map(normalize)
    // The processes of a cluster write in any order.
    return application.processes === undefined ? normalized : normalized.toSorted()
  }
  return { ended, out: lines(child.out.lines), err: lines(child.err.lines), responses }
}

/** Waits without a request, which would be counted. */
async function listening(child: Child, port: number): Promise<void> {
  const isListening = async () => {
    const { exitCode } = child.process
    if (exitCode !== null)
      throw new Error([`ended with ${exitCode}`, ...child.out.lines, ...child.err.lines].join('\n'))
    const socket = connect(port, '127.0.0.1')
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isConnected
  }
  await expect.poll(isListening, { timeout: 180_000, interval: 100 }).toBe(true)
}

function withoutVariations(text: string, port: number, pid: unknown, varies: readonly RegExp[] = []): string {
  return [
    new RegExp(`\\b${port}\\b`, 'g'),
    // Not everywhere: a small one may also be a status.
    new RegExp(`(?<=\\(node:|\\[Nest\\] |\\bpid[ :=]+)${pid}\\b`, 'gi'),
    /\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g,
    /\d+\/\d+\/\d{4}, [\d:]+ [AP]M/g,
    /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.]*Z?/g,
    /(?<="(?:time|pid|remotePort|responseTime)":)[\d.]+/g,
    /[\d.]+ ?ms\b/g,
    /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
    /(?<=\b(?:Primary|Worker|worker) )\d+/g,
    ...varies,
  ].reduce((rest, variation) => rest.replace(variation, '…'), text)
}

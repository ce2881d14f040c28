import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import ts from 'typescript'
import { afterEach, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { adapt, readDocumented } from '../support/documented.ts'
import { type OtlpReceiver, startReceiver } from '../support/otlp/receiver.ts'

const module = (name: string) => JSON.stringify(built(`build/node_modules/upkeep/dist/${name}.js`))

/** Handles a request per line, and flushes before it reports that the invocation has ended. */
const program = `
  import { createHook } from 'node:async_hooks'
  import { createInterface } from 'node:readline'
  const timers = new Set()
  createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    destroy: (id) => timers.delete(id),
  }).enable()
  const { createManagement } = await import(${module('index')})
  const { systemClock } = await import(${module('adapter')})
  const { observe } = await import(${module('fetch')})
  const { createLogger } = await import(${module('logging')})
  const { startTelemetry } = await import(${module('otlp')})
  const [url, timeout] = process.argv.slice(1)
  const report = (message) => console.error('reported: ' + message)
  const clock = { ...systemClock }
  const management = createManagement({ clock, report, metrics: { runtime: false } })
  const telemetry = await startTelemetry({
    management, clock, url, schedule: 'flush', metrics: { temporality: 'delta' },
  })
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const observed = observe(management, { route: () => '/orders' })
  console.log('ready')
  for await (const line of createInterface(process.stdin)) {
    management.meters.counter('orders.placed').increment(Number(line))
    const response = await observed(new Request('http://orders.example/orders'), () => {
      logger.info('placed ' + line)
      return new Response('ok')
    })
    await response.text()
    await telemetry.flush(timeout)
    // Hooks are told of timers that have ended a turn later.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    console.log('ended with ' + timers.size + ' timers')
  }
`

/** Calls the function of docs/guides/serverless.md for each line, with the handler of an application in place of its own. */
function documentedProgram(url: string): string {
  const source = adapt(readDocumented('guides/serverless.md', 'function.ts'), {
    'http://collector:4318': url,
    'Response.json([])': 'respond(request)',
    ...Object.fromEntries(
      ['index', 'adapter', 'fetch', 'otlp'].map((name) => [
        name === 'index' ? "'upkeep'" : `'upkeep/${name}'`,
        module(name),
      ]),
    ),
  })
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } })
  return `${outputText}
    import { createInterface } from 'node:readline'
    function respond({ url }) {
      if (url.endsWith('broken')) throw new RangeError('broken')
      return Response.json([])
    }
    console.log('ready')
    for await (const line of createInterface(process.stdin)) {
      await handler(new Request('http://orders.example/' + line)).catch(() => {})
      console.log('ended')
    }
  `
}

const children: Child[] = []
const receivers: OtlpReceiver[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGCONT')
    await child.kill()
  }
  for (const receiver of receivers.splice(0)) await receiver.dispose()
})

async function startFunction(url: string, timeout = '50s', source = program): Promise<Child> {
  const child = startChild(process.execPath, ['--input-type=module', '--eval', source, url, timeout])
  children.push(child)
  await child.out.line(/^ready$/)
  return child
}

async function startReceiverHere(): Promise<OtlpReceiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

/** Runs the n-th invocation. */
async function invoke(child: Child, orders: number, nth: number): Promise<void> {
  child.writeInput(`${orders}\n`)
  await child.out.line(/^ended/, nth)
}

async function freeze({ process: { pid } }: Child): Promise<void> {
  process.kill(pid as number, 'SIGSTOP')
  await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8'), { timeout: 180_000 }).toMatch(/\) T /)
}

function thaw({ process: { pid } }: Child): void {
  process.kill(pid as number, 'SIGCONT')
}

/** The sums of all deltas of a counter that the receiver took. */
function placed(...all: readonly OtlpReceiver[]): number {
  const points = all.flatMap(({ exports }) =>
    exports
      .filter(({ taken }) => taken)
      .flatMap(({ metrics }) => metrics.filter(({ name }) => name === 'orders.placed'))
      .flatMap((metric) => metric.sum?.dataPoints ?? []),
  )
  return points.reduce((sum, { asDouble }) => sum + Number(asDouble ?? 0), 0)
}

describe('a process that is frozen between invocations', () => {
  it('sends metrics, traces and logs before each invocation ends, and each count once', async () => {
    const receiver = await startReceiverHere()
    const child = await startFunction(receiver.url)
    for (const nth of [1, 2, 3]) {
      await invoke(child, nth, nth)
      expect(placed(receiver)).toBe((nth * (nth + 1)) / 2)
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(nth)
      expect(receiver.exports.flatMap(({ records }) => records)).toHaveLength(nth)
      const { length } = receiver.exports
      await freeze(child)
      thaw(child)
      expect(receiver.exports).toHaveLength(length)
    }
    expect(child.out.lines.filter((line) => line.startsWith('ended'))).toEqual(new Array(3).fill('ended with 0 timers'))
    expect(child.err.lines).toEqual([])
  })

  it('sends requests before the documented handler returns, and before it throws', async () => {
    const receiver = await startReceiverHere()
    const child = await startFunction(receiver.url, undefined, documentedProgram(receiver.url))
    for (const [index, line] of ['orders', 'broken'].entries()) {
      child.writeInput(`${line}\n`)
      await child.out.line(/^ended/, index + 1)
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(index + 1)
      const { length } = receiver.exports
      await freeze(child)
      thaw(child)
      expect(receiver.exports).toHaveLength(length)
    }
    const requests = receiver.exports.flatMap(({ metrics }) =>
      metrics.filter(({ name }) => name === 'http.server.requests').flatMap((each) => each.histogram?.dataPoints ?? []),
    )
    expect(requests.reduce((sum, { count }) => sum + Number(count), 0)).toBe(2)
    expect(child.err.lines).toEqual([])
  })

  it('sends what a receiver did not take in the next invocation, once', async () => {
    const receiver = await startReceiverHere()
    const child = await startFunction(receiver.url, '2s')
    // Later than the flush ends.
    const away = { status: 503, headers: { 'Retry-After': '3600' } }
    receiver.respondWith(...new Array(3).fill(away), ...new Array(3).fill('hang'))
    for (const nth of [1, 2]) {
      await invoke(child, nth, nth)
      expect(receiver.exports).toHaveLength(3 * nth)
      await freeze(child)
      thaw(child)
    }
    expect(placed(receiver)).toBe(0)
    await invoke(child, 3, 3)
    await invoke(child, 4, 4)
    expect(placed(receiver)).toBe(10)
    const taken = receiver.exports.filter((each) => each.taken)
    const ids = taken.flatMap(({ spans }) => spans.map(({ spanId }) => spanId))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(4)
    expect(taken.flatMap(({ records }) => records)).toHaveLength(4)
  })

  it('does not send again what was acknowledged while it was frozen', async () => {
    const receiver = await startReceiverHere()
    const child = await startFunction(receiver.url, '2s')
    receiver.respondWith('hold', 'hold', 'hold')
    child.writeInput('1\n')
    await receiver.arrived(3)
    await freeze(child)
    receiver.release()
    // The timeout of the flush has to pass while it is frozen.
    await wait(2_500)
    thaw(child)
    await child.out.line(/^ended/)
    await invoke(child, 2, 2)
    expect(placed(receiver)).toBe(3)
    expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(2)
    expect(receiver.exports.flatMap(({ records }) => records)).toHaveLength(2)
  })
})

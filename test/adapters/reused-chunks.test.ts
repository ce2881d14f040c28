import { once } from 'node:events'
import { createServer, get, OutgoingMessage, ServerResponse } from 'node:http'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../support/listen.ts'

const series = 60_000
/** Long enough that the system cannot buffer a whole page while a reader is paused. */
const customer = (index: number) => `${'customer-'.repeat(20)}${index}`

async function servePage(wrap = (res: ServerResponse) => res, Response = ServerResponse): Promise<number> {
  const management = createManagement({
    expose: ['prometheus'],
    metrics: { runtime: false, maximumSeriesPerMeter: series },
  })
  const orders = management.meters.counters('orders.placed', ['customer'])
  for (let index = 0; index < series; index++) orders.with(customer(index)).increment(index)
  const serve = manage(management)
  return listenOn(
    createServer({ ServerResponse: Response }, (req, res) => {
      serve(req, wrap(res))
    }),
  )
}

/** Reads a page, pausing after a number of bytes until nothing moves any more. */
async function read(port: number, bytesAtATime = Number.POSITIVE_INFINITY): Promise<string> {
  const path = '/management/prometheus?name[]=orders_placed_total'
  const [response] = await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')
  const chunks: Buffer[] = []
  let sinceStop = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    sinceStop += chunk.length
    if (sinceStop < bytesAtATime) continue
    sinceStop = 0
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return Buffer.concat(chunks).toString()
}

const lines = Array.from(
  { length: series },
  (_, index) => `orders_placed_total{customer="${customer(index)}"} ${index}`,
)

function isWhole(page: string): boolean {
  const written = page.split('\n').filter((line) => line.startsWith('orders_placed_total{'))
  // Compared as a whole, since a diff of pages of this length takes minutes.
  return written.sort().join('\n') === lines.toSorted().join('\n')
}

/** Writes each chunk later than it is received, like compressing middleware, and never calls back. */
function writeLater(res: ServerResponse): ServerResponse {
  const { write, end } = res
  let last: Promise<unknown> = Promise.resolve()
  const later = (run: () => unknown) => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(run)
  }
  res.write = (chunk: Uint8Array) => {
    later(() => write.call(res, chunk, 'utf8'))
    return true
  }
  res.end = () => {
    later(() => end.call(res, undefined, 'utf8'))
    return res
  }
  return res
}

const own = { write: OutgoingMessage.prototype.write, end: OutgoingMessage.prototype.end }
const kept = new WeakMap<OutgoingMessage, Uint8Array[]>()

/** Retains each chunk until the end, and calls back immediately. */
function keep(this: OutgoingMessage, chunk: Uint8Array, ...rest: readonly unknown[]): boolean {
  kept.set(this, [...(kept.get(this) ?? []), chunk])
  const written = rest.findLast((each) => typeof each === 'function')
  if (written !== undefined) setImmediate(written as () => void)
  return true
}

function endKept(this: OutgoingMessage): OutgoingMessage {
  for (const chunk of kept.get(this) ?? []) own.write.call(this, chunk, 'utf8')
  return own.end.call(this, undefined, 'utf8')
}

class KeepingResponse extends ServerResponse {
  override write = keep as never
  override end = endKept as never
}

class KeepingByMethods extends ServerResponse {}
Object.assign(KeepingByMethods.prototype, { write: keep, end: endKept })

function keepThroughProxy(res: ServerResponse): ServerResponse {
  const members: Readonly<Record<string | symbol, unknown>> = { write: keep.bind(res), end: endKept.bind(res) }
  return new Proxy(res, {
    get(target, name) {
      const value: unknown = members[name] ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function patch(prototype: object): void {
  const before = Object.getOwnPropertyDescriptors(prototype)
  Object.assign(prototype, { write: keep, end: endKept })
  onTestFinished(() => {
    for (const name of ['write', 'end'] as const) {
      const descriptor = before[name as keyof typeof before]
      if (descriptor === undefined) Reflect.deleteProperty(prototype, name)
      else Object.defineProperty(prototype, name, descriptor)
    }
  })
}

it.each<readonly [string, () => Promise<number>]>([
  ['a subclass of the response', () => servePage(undefined, KeepingByMethods as typeof ServerResponse)],
  ['a subclass with fields', () => servePage(undefined, KeepingResponse as typeof ServerResponse)],
  ['a proxy of the response', () => servePage(keepThroughProxy)],
  [
    'a patched prototype',
    () => {
      patch(ServerResponse.prototype)
      return servePage()
    },
  ],
  [
    'a patched prototype of what responses inherit from',
    () => {
      patch(OutgoingMessage.prototype)
      return servePage()
    },
  ],
])('a page is complete through %s, which retains chunks and calls back before they are sent', async (_, serve) => {
  expect(isWhole(await read(await serve()))).toBe(true)
})

it('a page is complete through a middleware that writes later and never calls back', async () => {
  const port = await servePage(writeLater)
  expect(isWhole(await read(port))).toBe(true)
})

it('a page of megabytes is complete for fast and slow readers, although its memory is reused', async () => {
  const port = await servePage()
  const pages = await Promise.all([read(port), read(port, 300_000), read(port, 1_000_000)])
  const later = await Promise.all([read(port, 500_000), read(port)])
  expect([...pages, ...later].map(isWhole)).toEqual([true, true, true, true, true])
})

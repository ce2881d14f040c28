import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { expect, it } from 'vitest'
import { manage } from '../../adapters/node.ts'
import { createManagement } from '../../src/index.ts'
import { listenOn } from '../support/listen.ts'

const series = 60_000
/** Long enough that the system does not take all of a page from the server while a reader stands still. */
const customer = (index: number) => `${'customer-'.repeat(20)}${index}`

async function servePage(): Promise<number> {
  const management = createManagement({
    expose: ['prometheus'],
    metrics: { runtime: false, maximumSeriesPerMeter: series },
  })
  const orders = management.meters.counters('orders.placed', ['customer'])
  for (let index = 0; index < series; index++) orders.with(customer(index)).increment(index)
  return listenOn(createServer(manage(management)))
}

/** Reads a page, and stops after each so many bytes until everything has stood still for a while. */
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

it('a page of megabytes reaches fast and slow readers whole, though its memory is used again', async () => {
  const port = await servePage()
  const lines = Array.from(
    { length: series },
    (_, index) => `orders_placed_total{customer="${customer(index)}"} ${index}`,
  )
  const pages = await Promise.all([read(port), read(port, 300_000), read(port, 1_000_000)])
  const later = await Promise.all([read(port, 500_000), read(port)])
  for (const page of [...pages, ...later]) {
    const written = page.split('\n').filter((line) => line.startsWith('orders_placed_total{'))
    expect(written.length).toBe(series)
    // Compared as one, since telling how pages of this length differ takes minutes.
    expect(written.sort().join('\n') === lines.toSorted().join('\n')).toBe(true)
  }
})

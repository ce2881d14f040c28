import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts what stands for another service, unless `PRICES_URL` has one: it responds with the price of an item. */
export async function startPrices(): Promise<{ readonly url: string; close(): void }> {
  const { PRICES_URL } = process.env
  if (PRICES_URL) return { url: PRICES_URL, close: () => undefined }
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ cents: 100 * (req.url ?? '').length }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { expect, it } from 'vitest'

it('links of the management have an origin over HTTP/2, which has :authority instead of Host', async () => {
  const handler = manage(createManagement())
  const server = createServer((req, res) => void handler(req as never, res as never))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const session = connect(origin)
  try {
    const page = JSON.parse(await text(session.request({ ':path': '/management' })))
    expect(page._links.health.href).toBe(`${origin}/management/health`)
  } finally {
    session.destroy()
    server.close()
  }
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { handleClientErrors } from 'upkeep/node'
import { expect, it, onTestFinished } from 'vitest'

async function responseTo(sent: string): Promise<string> {
  const server = createServer((_request, response) => response.end('ok'))
  handleClientErrors(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(sent, 'latin1')
  return Buffer.concat(await socket.toArray()).toString()
}

it('a server of the application responds to a control character in a field with an error document', async () => {
  const response = await responseTo('GET / HTTP/1.1\r\nHost: a\r\nIf-Match: 0\x1f\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  const [header = '', body = ''] = response.split('\r\n\r\n')
  expect(header).toMatch(/^Content-Type: application\/problem\+json$/m)
  expect(header).toMatch(/^Connection: close$/m)
  expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
})

it('a server of the application responds to requests as before', async () => {
  const response = await responseTo('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/)
})

import { createServer } from 'node:http'
import { currentTrace, ready } from './tools.mjs'

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname === '/slow') return
  if (pathname.startsWith('/admin/')) response.writeHead(401).end()
  else if (pathname === '/failing') response.writeHead(500).end()
  else if (request.method === 'POST') {
    request.resume().once('end', async () => response.writeHead(201).end(await currentTrace()))
  } else if (pathname.startsWith('/api/orders/')) response.end(pathname.slice(12))
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => ready(server))

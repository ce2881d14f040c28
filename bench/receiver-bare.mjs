// What the webhook receiver is compared with, for receiver.mjs: node:http, and the same insert by pg, and nothing else.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'

const [databaseUrl, hookId] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl })
const insert = `insert into messages
  (id, hook_id, text, username, channel, icon_url, icon_emoji, attachments, props, delivery_id, body_sha256)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (hook_id, delivery_id) where delivery_id is not null do nothing
  returning id`

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { text } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  await pool.query(insert, [randomUUID(), hookId, text, null, null, null, null, null, null, null, null])
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 2 }).end('ok')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send(server.address().port)
process.on('disconnect', () => process.exit())

import { createServer, get } from 'node:http'
import { text } from 'node:stream/consumers'
import amqplib from 'amqplib'
import pg from 'pg'
import { currentTrace, ready } from './tools.mjs'

// One connection: the second query waits for the first, and is run where that ends.
const pool = new pg.Pool({ host: '127.0.0.1', user: 'postgres', database: process.env.TEST_DATABASE, max: 1 })
const origin = () => `http://127.0.0.1:${server.address().port}/ping`

const server = createServer(async (request, response) => {
  if (request.url === '/ping') return response.end('pong')
  const first = pool.query('select 1')
  const second = new Promise((resolve) => pool.query('select 2', () => resolve(currentTrace())))
  const failed = pool.query('select nothing').catch(({ code }) => code)
  await fetch(origin()).then((answer) => answer.text())
  await new Promise((resolve) => get(origin(), (answer) => resolve(text(answer))))
  response.end([(await first).rowCount, await second, await failed].join(' '))
}).listen(0, '127.0.0.1', () => ready(server))

export { amqplib }

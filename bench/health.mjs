// What a health answer from the cache costs, beside a handler that sends a constant, and beside @godaddy/terminus,
// which runs its checks for every request: `node bench/health.mjs`.
//
// In one process, over no network (see inject.mjs). What is told is the median over the rounds of the ratio inside a
// round.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { createTerminus } from '@godaddy/terminus'
import { load, median, missed, report, shuffled } from './harness.mjs'
import { inject, timeOf } from './inject.mjs'

const rounds = 61
const requests = 1_000
const path = '/management/health'

if (process.argv[2] === 'backend') {
  const server = createTcpServer((socket) => socket.setNoDelay().pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send(server.address().port)
  await once(process, 'disconnect')
  process.exit()
}

const { createManagement } = await load('upkeep')
const { manage } = await load('upkeep/node')

let checks = 0
/** A check that asks nobody. */
async function check() {
  checks++
  return 'UP'
}

/** A check that asks by the least that this can be: a few bytes to another process and back, over a kept connection. */
async function askingBackend(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  let answered
  socket.on('data', () => answered('UP'))
  return () => {
    checks++
    return new Promise((resolve) => {
      answered = resolve
      socket.write('ping')
    })
  }
}
const backend = fork(import.meta.filename, ['backend'])
const [port] = await once(backend, 'message')
const [cache, db, queue] = [await askingBackend(port), await askingBackend(port), await askingBackend(port)]

const kept = (check) => ({ check, cache: '1h' })
const indicators = () => ({ cache: kept(cache), db: kept(db), queue: kept(queue) })

const managements = {
  'the status alone': createManagement({ metrics: { runtime: false }, health: { indicators: indicators() } }),
  'each component': createManagement({
    metrics: { runtime: false },
    health: { indicators: indicators(), showDetails: 'always' },
  }),
}

async function fieldsAndBody(management) {
  const headers = { host: '127.0.0.1', accept: '*/*' }
  const request = { method: 'GET', target: path, headers, base: '', body: () => ({ kind: 'parsed' }) }
  await management(request)
  return management(request)
}

function withHead({ headers, body }) {
  return (_req, res) => {
    res.writeHead(200, headers)
    res.end(body)
  }
}

function fieldByField({ headers, body }) {
  const [type, length, caching, pragma, expires, vary] = Object.values(headers)
  if (Object.keys(headers).length !== 6) throw new Error(`not the fields that are compared: ${Object.keys(headers)}`)
  return (_req, res) => {
    res.statusCode = 200
    res.setHeader('Content-Type', type)
    res.setHeader('Content-Length', length)
    res.setHeader('Cache-Control', caching)
    res.setHeader('Pragma', pragma)
    res.setHeader('Expires', expires)
    res.setHeader('Vary', vary)
    res.end(body)
  }
}

/** terminus takes the place of a server's listeners: what it puts there is what is measured. */
async function terminus(first, second, third) {
  const server = createServer((_req, res) => res.end('application'))
  createTerminus(server, {
    healthChecks: {
      '/management/health': async () => {
        const [cache, db, queue] = await Promise.all([first(), second(), third()])
        return { cache, db, queue }
      },
    },
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache', Expires: '0', Vary: 'Accept' },
    useExit0: true,
    signals: [],
  })
  return server.listeners('request')[0]
}

async function contend(what, management) {
  const constant = await fieldsAndBody(management)
  const managed = manage(management)
  const contenders = {
    upkeep: managed,
    head: withHead(constant),
    fields: fieldByField(constant),
    terminusAtOnce: await terminus(check, check, check),
    terminus: await terminus(cache, db, queue),
  }
  await expectSame(managed, contenders.head)
  const checksBefore = checks

  const names = Object.keys(contenders)
  const request = { url: path, headers: [] }
  const next = () => request
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (const name of names) for (let i = 0; i < 10; i++) await timeOf(contenders[name], requests, next)
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names)) times[name].push(await timeOf(contenders[name], requests, next))
  }
  // What was measured has to have happened: terminus has checked each time, and upkeep never.
  if (checks - checksBefore !== 2 * 3 * (rounds + 10) * requests) throw new Error(`${checks - checksBefore} checks`)

  const ratio = (one, other) => median(times[one].map((time, round) => time / times[other][round]))
  const took = (name) => `${median(times[name]).toFixed(2)}`
  const row = (name, one, other, goal, beside) =>
    report(`${what}: ${name}`, ratio(one, other), { ...goal, detail: beside })
  row(
    'upkeep / a constant by setHeader',
    'upkeep',
    'fields',
    { atMost: 1.05 },
    `${took('upkeep')}, ${took('fields')} µs`,
  )
  row('upkeep / a constant by one writeHead', 'upkeep', 'head', {}, `${took('head')} µs`)
  row('terminus / upkeep', 'terminus', 'upkeep', { atLeast: 3.3 }, `${took('terminus')} µs`)
  row('terminus / upkeep, checks that ask nobody', 'terminusAtOnce', 'upkeep', {}, `${took('terminusAtOnce')} µs`)
}

/** Both sides send the same bytes, but for the moment in the Date field. */
async function expectSame(one, other) {
  const [own, theirs] = [await sent(one), await sent(other)]
  if (own !== theirs) throw new Error(`not the same answers:\n${own}\n${theirs}`)
}

async function sent(listener) {
  let text = ''
  const res = await inject((req, res) => {
    const write = res.socket.write
    res.socket.write = (chunk, ...rest) => {
      text += chunk
      return write.call(res.socket, chunk, ...rest)
    }
    listener(req, res)
  }, path)
  if (res.statusCode !== 200) throw new Error(`answered ${res.statusCode}`)
  return text.replace(/Date: .*\r\n/, '')
}

console.log(`Node ${process.version}; microseconds are this machine's`)
console.log(`${'a health answer from the cache'.padEnd(62)} ${'ratio'.padStart(9)} ${'goal'.padStart(8)}`)
for (const [what, management] of Object.entries(managements)) await contend(what, management)
for (const management of Object.values(managements)) management.close()
backend.kill()
process.exit(missed().length > 0 ? 1 : 0)

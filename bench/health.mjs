// What a health answer from the cache costs, beside a handler that sends a constant, and beside @godaddy/terminus, which
// runs its checks for every request: `node bench/health.mjs`.
//
// In one process, over no network (see inject.mjs). What is told is the median over the rounds of the ratio inside a round.
import { createServer } from 'node:http'
import { createTerminus } from '@godaddy/terminus'
import { load, median, missed, report, shuffled } from './harness.mjs'
import { inject, timeOf } from './inject.mjs'

const { createManagement } = await load('src/index.ts')
const { manage } = await load('adapters/node.ts')
const rounds = 61
const requests = 1_000
const path = '/management/health'

let checks = 0
async function check() {
  checks++
  return 'UP'
}
const indicators = () => ({ cache: { check, cache: '1h' }, db: { check, cache: '1h' }, queue: { check, cache: '1h' } })

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
async function terminus() {
  const server = createServer((_req, res) => res.end('application'))
  createTerminus(server, {
    healthChecks: {
      '/management/health': async () => {
        const [cache, db, queue] = await Promise.all([check(), check(), check()])
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
    terminus: await terminus(),
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
  if (checks - checksBefore !== 3 * (rounds + 10) * requests) throw new Error(`${checks - checksBefore} checks`)

  const ratio = (one, other) => median(times[one].map((time, round) => time / times[other][round]))
  const took = (name) => `${median(times[name]).toFixed(2)}`
  const detail = `${took('upkeep')} µs, beside ${took('head')}`
  report(`${what}: upkeep / a constant by writeHead`, ratio('upkeep', 'head'), { atMost: 1.05, detail })
  report(`${what}: upkeep / a constant by setHeader`, ratio('upkeep', 'fields'), { detail: took('fields') })
  report(`${what}: terminus with three checks / upkeep`, ratio('terminus', 'upkeep'), {
    atLeast: 3.3,
    detail: took('terminus'),
  })
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
process.exitCode = missed().length > 0 ? 1 : 0

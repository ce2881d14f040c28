// The webhook receiver on PostgreSQL, with everything on, beside a bare node:http handler that does the same insert,
// and its memory over many messages: `node bench/receiver.mjs [messages]`, a million by default, which takes some ten
// minutes to half an hour; 0 leaves it out. Needs `npm run build` and a PostgreSQL: UPKEEP_POSTGRES_URL, or the one on
// 127.0.0.1 without a password.
import { fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { median, shuffled } from './harness.mjs'

const leastShare = 0.8
const mostGrowth = 1.15
const rounds = 21
const roundSeconds = 1
const connections = 16
const messages = Number(process.argv[2] ?? 1_000_000)

const serverUrl = process.env.UPKEEP_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `bench_${randomBytes(6).toString('hex')}`
const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
await administer(`create database ${name}`)
const children = []
try {
  const receiver = await startReceiver()
  const bare = await startBare()
  await compare(receiver, bare)
  if (messages > 0) await watchMemory(receiver)
} finally {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  await administer(`drop database ${name} with (force)`)
}

async function compare(receiver, bare) {
  const urls = { receiver: receiver.url, bare: bare.url }
  const pids = { receiver: receiver.pid, bare: bare.pid }
  const seen = { receiver: [], bare: [] }
  const spent = { receiver: [], bare: [] }
  for (const url of Object.values(urls)) await load(url, { duration: 3 * roundSeconds })
  for (let round = 0; round < rounds; round++) {
    for (const whose of shuffled(Object.keys(urls))) {
      const before = processorSeconds(pids[whose])
      const { rate, count } = await load(urls[whose], { duration: roundSeconds })
      seen[whose].push(rate)
      spent[whose].push(((processorSeconds(pids[whose]) - before) * 1e6) / count)
    }
  }
  const share = median(seen.receiver.map((each, round) => each / seen.bare[round]))
  for (const whose of ['receiver', 'bare']) {
    const [rate, cost] = [median(seen[whose]).toFixed(0), median(spent[whose]).toFixed(0)]
    console.log(`${whose.padEnd(8)} ${rate} messages a second, each for ${cost} µs of its process`)
  }
  judge(`throughput ${share.toFixed(2)} of the bare handler's (goal: at least ${leastShare})`, share >= leastShare)
}

/** Looks at the resident memory twenty times on the way; the first quarter is for warming up. */
async function watchMemory({ url, pid }) {
  const steps = 20
  const started = performance.now()
  const sizes = []
  for (let step = 0; step < steps; step++) {
    await load(url, { amount: Math.ceil(messages / steps) })
    sizes.push(residentMegabytes(pid))
  }
  const seconds = (performance.now() - started) / 1_000
  const growth = median(sizes.slice(-5)) / median(sizes.slice(5, 10))
  console.log(`resident memory over ${messages} messages in ${seconds.toFixed(0)} s, in MB: ${sizes.join(' ')}`)
  judge(
    `memory at the end ${growth.toFixed(2)} of that before half (goal: at most ${mostGrowth})`,
    growth <= mostGrowth,
  )
}

/** Answers how many messages were acknowledged, and how many a second. */
async function load(url, limits) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'Build 17 of main is green: 1,204 tests in 81 s' }),
    connections,
    ...limits,
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} messages were not acknowledged`)
  return { rate: result['2xx'] / result.duration, count: result['2xx'] }
}

async function startReceiver() {
  const built = join(import.meta.dirname, '../build/examples/webhook-receiver/main.js')
  const child = spawn(process.execPath, [built], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_URL: databaseUrl, MESSAGES_PER_MINUTE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /^ {2}(http\S+\/hooks\/\S+)$/m.exec(output)?.[1]
      if (address !== undefined) resolve({ url: address, pid: child.pid })
    })
    child.once('exit', () => reject(new Error(`The receiver ended: ${output}`)))
  })
}

async function startBare() {
  const [{ id }] = await administer('select id from hooks', databaseUrl)
  const child = fork(join(import.meta.dirname, 'receiver-bare.mjs'), [databaseUrl, id])
  children.push(child)
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid }
}

async function administer(sql, connectionString = serverUrl) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** What a process has spent so far, in ticks of which Linux makes 100 a second. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function residentMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(kilobytes / 1_024)
}

function judge(line, isReached) {
  console.log(`${isReached ? 'ok  ' : 'MISS'} ${line}`)
  if (!isReached) process.exitCode = 1
}

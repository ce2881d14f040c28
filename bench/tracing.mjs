// What tracing adds to a request, beside the official instrumentation of OpenTelemetry and a middleware by hand:
// `node bench/tracing.mjs [rounds]`.
//
// Each contender is a process of its own, as a user starts it: the packed package with `startTelemetry`, which exports
// to a receiver in another process. The official instrumentation has a BatchSpanProcessor whose exporter forgets the
// spans. What counts is the processor time that a request takes on top of the same application with an empty
// middleware, the median over the rounds of the difference inside a round: in the process, over no network, and for
// node:http over sockets. OpenTelemetry is that line of it which supports the Node that runs this.
//
// `without upkeep` does by hand what no tracing can do without, and knows no other application: it shows the limit.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request as send } from 'node:http'
import { join } from 'node:path'
import { median, missed, report, shuffled } from './harness.mjs'

const rounds = Math.min(Number(process.argv[2] ?? 31), 99)
if (!(rounds >= 5)) throw new RangeError(`rounds: expected 5 to 99, received ${process.argv[2]}`)
const requests = 2_000
const connections = 8
const newest = Number(process.versions.node.split('.')[0]) >= 24

const frameworks = {
  'node:http': { atMost: 1.5, atLeast: 10 },
  'Koa 3': { atMost: newest ? 2.5 : 3, atLeast: newest ? 10 : 8 },
  'Express 5': { atMost: newest ? 3 : 8, atLeast: newest ? 8 : 6 },
}
/** Microseconds on top of the bare server, the export included. */
const overSockets = { atMost: 9 }

let received = 0
const receiver = createServer((req, res) => {
  received += 1
  req.resume().on('end', () => res.end())
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = `http://127.0.0.1:${receiver.address().port}`

console.log(`Node ${process.version}, ${rounds} rounds of ${requests} requests; microseconds are this machine's`)
console.log(`${'microseconds added to a request'.padEnd(62)} ${''.padStart(9)} ${'goal'.padStart(8)}`)
try {
  for (const [framework, goal] of Object.entries(frameworks)) {
    const contenders = ['base', 'metrics', 'traced', 'official', 'without upkeep']
    const { base, metrics, traced, official, 'without upkeep': limit } = await measure(framework, contenders, inject)
    const [alone, by, bare] = [metrics, official, base].map((each) => each.toFixed(2))
    const detail = `metrics alone ${alone}, official ${by}, the request ${bare}`
    report(`${framework}: metrics, span and export`, traced, { atMost: goal.atMost, detail })
    report(`${framework}: the same by hand for this application alone, without upkeep`, limit)
    report(`${framework}: official instrumentation / ours`, official / traced, { atLeast: goal.atLeast })
  }
  const unsampled = await measure(
    'node:http',
    ['base', 'metrics', 'zero', 'zero by hand', 'unsampled', 'unsampled by hand'],
    inject,
  )
  for (const [what, name] of [
    ['probability 0', 'zero'],
    ['a caller that is not sampled', 'unsampled'],
  ]) {
    // Less than that cannot be told from nothing.
    const ours = Math.max(0.05, unsampled[name] - unsampled.metrics)
    const theirs = unsampled[`${name} by hand`]
    const detail = `ours ${ours.toFixed(2)}, by hand ${theirs.toFixed(2)}`
    report(`node:http, ${what}: by hand / ours`, theirs / ours, { atLeast: 10, detail })
  }
  const { base, metrics, traced } = await measure('node:http', ['base', 'metrics', 'traced'], load)
  const detail = `metrics alone ${metrics.toFixed(2)}, the request ${base.toFixed(2)}`
  report('node:http over sockets: metrics, span and export', traced, { ...overSockets, detail })
} finally {
  receiver.closeAllConnections()
  receiver.close()
}
if (received === 0) throw new Error('expected that spans are exported, received none')
process.exitCode = missed().length > 0 ? 1 : 0

/** Returns the microseconds of the base, and what each other contender adds to them. */
async function measure(framework, names, run) {
  const contenders = {}
  for (const name of names) contenders[name] = await start(framework, name)
  const rows = names.map(() => [])
  for (let round = -3; round < rounds; round++) {
    const times = {}
    for (const name of shuffled(names)) times[name] = await run(contenders[name])
    // The first rounds compile.
    if (round < 0) continue
    for (const [at, name] of names.entries()) rows[at].push(name === 'base' ? times.base : times[name] - times.base)
  }
  for (const { child } of Object.values(contenders)) child.kill()
  return Object.fromEntries(names.map((name, at) => [name, median(rows[at])]))
}

async function start(framework, name) {
  const child = fork(join(import.meta.dirname, 'traced-application.mjs'), [framework, name, url])
  const ask = async (message) => {
    child.send(message)
    return (await once(child, 'message'))[0]
  }
  await once(child, 'message')
  return { child, ask, port: await ask('listen'), agent: new Agent({ keepAlive: true, maxSockets: connections }) }
}

function inject({ ask }) {
  return ask(requests)
}

/** Sends requests over connections; returns the microseconds of the processor that the server took for one. */
async function load({ ask, port, agent }) {
  const before = await ask('cpu')
  let left = requests
  const work = async () => {
    while (left-- > 0) await get({ port, agent, path: `/orders/${left & 63}` })
  }
  await Promise.all(Array.from({ length: connections }, work))
  return ((await ask('cpu')) - before) / requests
}

function get(target) {
  return new Promise((resolve, reject) => {
    const sent = send({ host: '127.0.0.1', ...target }, (res) => res.resume().on('end', resolve))
    sent.on('error', reject).end()
  })
}

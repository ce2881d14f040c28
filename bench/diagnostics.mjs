// What diagnostics cost. While a profile is recorded: the processor time of requests, in all threads, as a ratio to the
// same requests without a profile directly before and after it. For how long the event loop is held when a profile ends.
// The endpoint httpexchanges: what it adds to a request.
// `npm run build`, then `node bench/diagnostics.mjs`.
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, missed, report, shuffled } from './harness.mjs'
import { inject } from './inject.mjs'
import { added, answer, nodeRoute } from './requests.mjs'

const { createManagement } = await load('upkeep')
const { observe } = await load('upkeep/node')
const rounds = Number(process.env.ROUNDS ?? 9)
const settleMilliseconds = 700
const heldSeconds = Number(process.env.SECONDS ?? 60)

const variants = {
  'a profile at 10 ms, functions distinguished': { profile: { interval: '10ms' }, atMost: 1.02 },
  'a profile at 10 ms, inlined functions merged': {
    profile: { interval: '10ms', separateFunctions: false },
    atMost: 1.02,
  },
  'a profile at 1 ms, functions distinguished': { profile: { interval: '1ms' }, atMost: 1.06 },
  'a profile at 1 ms, inlined functions merged': {
    profile: { interval: '1ms', separateFunctions: false },
    atMost: 1.06,
  },
  'no profile (control)': {},
}
const managements = Object.entries(variants).map(([name, { profile }]) => [
  name,
  profile && createManagement({ expose: ['profile'], authorize: () => ({ name: 'bench' }), audit: () => {}, profile }),
])

const order = { id: 'o-1', customer: { name: 'Ada', city: 'London' }, items: [] }
for (let at = 0; at < 20; at++) order.items.push({ sku: `sku-${at}`, price: 9.5 + at, quantity: 1 + (at % 3) })
const text = JSON.stringify(order)
const stock = new Map(order.items.map(({ sku }) => [sku, { left: 1_000_000 }]))

const priceOf = ({ price, quantity }) => price * quantity
const isAvailable = ({ sku, quantity }) => stock.get(sku).left >= quantity
const reserve = ({ sku }) => {
  const entry = stock.get(sku)
  entry.left = entry.left < 10 ? 1_000_000 : entry.left - 1
}
/** Parses, validates, looks up, computes and formats. */
function placeOrder(at) {
  const { items, customer, ...rest } = JSON.parse(text)
  if (!items.every(isAvailable)) throw new Error('sold out')
  for (const item of items) reserve(item)
  const total = items.map(priceOf).reduce((sum, each) => sum + each, 0)
  const headers = { 'content-type': 'application/json', 'x-request-id': `r-${at}` }
  const body = JSON.stringify({ ...rest, customer: customer.name.toUpperCase(), total, lines: items.length })
  return { headers, body }
}

const application = createManagement({ metrics: { runtime: false } })
const observed = observe(application, { route: nodeRoute })
let answers = 0
function listener(req, res) {
  observed(req, res, () => {
    const { headers, body } = placeOrder(answers++)
    res.writeHead(200, headers).end(body)
  })
}

/** Responds to requests for some turns of the event loop; returns the processor time in microseconds. */
async function work() {
  const before = process.cpuUsage()
  for (let turn = 0; turn < 60; turn++) {
    for (let at = 0; at < 50; at++) await inject(listener, `/orders/${at}`)
    await new Promise(setImmediate)
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Works under a profile, once what it has discarded is optimised again. */
async function profiled(management) {
  if (management === undefined) return work()
  const controller = new AbortController()
  const target = '/management/profile?seconds=300&format=folded'
  const request = { method: 'GET', target, headers: {}, base: '', body: () => {}, signal: controller.signal }
  const response = Promise.resolve(management(request)).catch(() => {})
  await settle()
  const time = await work()
  controller.abort()
  await response
  await settle()
  return time
}

async function settle() {
  const until = performance.now() + settleMilliseconds
  while (performance.now() < until) {
    await work()
    await sleep(1)
  }
}

await settle()
// The threads start before anything is measured.
for (const [, management] of managements) await profiled(management)
const ratios = new Map(managements.map(([name]) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const [name, management] of shuffled(managements)) {
    const before = await work()
    const during = await profiled(management)
    const after = await work()
    ratios.get(name).push((2 * during) / (before + after))
  }
}
console.log(`Node ${process.version}, processor time with a profile / without, median of ${rounds} rounds (quartiles)`)
for (const [name, each] of ratios) {
  const sorted = each.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.floor(each.length / 4)], sorted[Math.floor((3 * each.length) / 4)]]
  const { atMost } = variants[name]
  report(name, median(each), { atMost, detail: `(${low.toFixed(3)}–${high.toFixed(3)})` })
}

/** Returns the longest turn of the event loop, in milliseconds, from now until the work has ended. */
async function longestTurn(work) {
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let longest = 0
  for (let last = performance.now(); !isDone; ) {
    await new Promise(setImmediate)
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  await done
  return longest
}

/** Records a profile of requests, and returns the longest turn while it ends, is encoded and sent. */
async function endOfProfile([, management], format) {
  const target = `/management/profile?seconds=${heldSeconds}&format=${format}`
  const request = { method: 'GET', target, headers: {}, base: '', body: () => {} }
  const requested = performance.now()
  const response = (async () => {
    const { status, body } = await management(request)
    if (status !== 200) throw new Error(`${format}: ${status}`)
    for await (const chunk of body) answers += chunk.length > 0 ? 0 : 1
  })()
  while (performance.now() - requested < 1_000 * heldSeconds - 200) await work()
  return longestTurn(() => response)
}
for (const format of ['pprof', 'folded']) {
  const held = await endOfProfile(managements[0], format)
  const without = await longestTurn(() => sleep(1_000))
  report(`longest turn when a profile of ${heldSeconds} s ends, ${format}: milliseconds`, held, {
    detail: `without a profile ${without.toFixed(1)}`,
  })
}
for (const [, management] of managements) management?.close()

/** Returns a listener of an application with further options. */
const applicationWith = (options) => {
  const guarded = { authorize: () => ({ name: 'bench' }) }
  const observedWith = observe(createManagement({ metrics: { runtime: false }, ...guarded, ...options }), {
    route: nodeRoute,
  })
  return (req, res) => observedWith(req, res, () => answer(req, res))
}
const microseconds = await added({
  base: applicationWith({}),
  control: applicationWith({}),
  exchanges: applicationWith({ expose: ['httpexchanges'] }),
})
report('httpexchanges: microseconds added to a request', microseconds.exchanges, {
  atMost: 0.15,
  detail: `control ${microseconds.control.toFixed(2)}, the request alone ${microseconds.base.toFixed(2)}`,
})
process.exit(answers === 0 || missed().length > 0 ? 1 : 0)

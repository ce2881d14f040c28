// A service whose functions burn time and memory 3 : 1, on the main thread and in a worker. Prints its ports; each line
// of its input says what it does next: `serve` (a bit of work per turn), `allocate`, `forever`.
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { basicAuth, createManagement } from 'upkeep'
import { listen, watchdog } from 'upkeep/node'

const management = createManagement({
  expose: ['health', 'profile', 'pprof'],
  authorize: basicAuth({ username: 'ops', password: 'secret' }),
  profile: JSON.parse(process.env.PROFILE ?? '{"interval":"1ms","heapInterval":8192}'),
})
const { address } = await listen(management, { port: 0 })
const { port } = await watchdog(management, { port: 0, token: 'secret', stall: '60s' })

function burnThree(rounds) {
  let sum = 0
  for (let at = 0; at < 3 * rounds; at++) sum = Math.imul(sum ^ at, 31) + 7
  return sum
}
function burnOne(rounds) {
  let sum = 0
  for (let at = 0; at < rounds; at++) sum = Math.imul(sum ^ at, 31) + 7
  return sum
}
function handle() {
  globalThis.result = burnThree(20_000) + burnOne(20_000)
}
function blockTheLoop(milliseconds) {
  const end = performance.now() + milliseconds
  while (performance.now() < end) handle()
}

async function idleHandler() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

// Never grows: what an array takes when it does counts for the function that happens to push.
const kept = new Array(400_000).fill(undefined)
let next = 0
function keepThree() {
  for (let at = 0; at < 300; at++) kept[next++ % kept.length] = { at, list: [at, at, at, at, at, at, at, at] }
}
function keepOne() {
  for (let at = 0; at < 100; at++) kept[next++ % kept.length] = { at, list: [at, at, at, at, at, at, at, at] }
}
function allocate() {
  for (let turn = 0; turn < 50; turn++) {
    keepThree()
    keepOne()
  }
}

const worker = new Worker(
  `function workThree(rounds) {
     let sum = 0
     for (let at = 0; at < 3 * rounds; at++) sum = Math.imul(sum ^ at, 31) + 7
     return sum
   }
   function workOne(rounds) {
     let sum = 0
     for (let at = 0; at < rounds; at++) sum = Math.imul(sum ^ at, 31) + 7
     return sum
   }
   let result = 0
   function loopForever() {
     require('node:worker_threads').parentPort.postMessage('loops')
     for (;;) result += workThree(20_000) + workOne(20_000)
   }
   loopForever()`,
  { eval: true, name: 'crunch' },
)
await once(worker, 'message')
worker.unref()

// Optimised, with what it calls inlined, before any profile begins.
for (let turn = 0; turn < 2_000; turn++) handle()
void idleHandler()

/** Says it inside the function that a test expects. */
const begins = (name) => writeSync(1, `begins ${name}\n`)

const actions = {
  serve() {
    setInterval(() => blockTheLoop(30), 100)
    begins('serve')
  },
  allocate() {
    setInterval(allocate, 20)
    begins('allocate')
  },
  forever() {
    begins('forever')
    for (;;) handle()
  },
}
process.stdin.setEncoding('utf8').on('data', (text) => {
  setImmediate(actions[text.trim()])
})
console.log(`ports ${address.port} ${port}`)

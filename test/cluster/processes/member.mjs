// A process, or one of its threads, that joins a group and serves its management. Its standard input takes commands.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

const { UPKEEP_DIST, GROUP_DIRECTORY, THREADS = '0', SERIES = '0' } = process.env
const { GROUP = 'members', APPLICATION = 'members' } = process.env
const { createManagement } = await import(`${UPKEEP_DIST}/index.js`)
const { joinCluster } = await import(`${UPKEEP_DIST}/cluster.js`)

const management = createManagement({
  application: { name: APPLICATION },
  expose: ['health', 'metrics', 'prometheus'],
  authorize: () => ({ name: 'test' }),
  report: (message, error) => console.log(`report: ${message}${error ? `: ${error.message}` : ''}`),
})
for (let at = 0; at < Number(SERIES); at += 1) management.meters.counter('many', { at: `${at}` })
const group = GROUP === '' ? undefined : GROUP
const cluster = joinCluster(management, { directory: GROUP_DIRECTORY, group })

const commands = {
  count: (amount) => management.meters.counter('orders.placed').increment(amount),
  define: (count) => {
    for (let at = 0; at < count; at += 1) management.meters.counter(`defined.${'n'.repeat(200)}.${at}`).increment()
  },
  block: () => {
    for (;;);
  },
  exit: () => process.exit(0),
}
const run = ({ command, amount }) => {
  commands[command](amount)
  return `${command} done`
}

if (isMainThread) {
  const { listen } = await import(`${UPKEEP_DIST}/node.js`)
  const threads = Array.from({ length: Number(THREADS) }, () => new Worker(new URL(import.meta.url)))
  await Promise.all(threads.map((thread) => once(thread, 'message')))
  const server = await listen(management, { port: 0, host: '127.0.0.1' })
  console.log(`member ${cluster.slot} at ${server.address.port}`)
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { thread, ...request } = JSON.parse(line)
    if (thread === undefined) return console.log(run(request))
    if (request.command === 'terminate') await threads[thread].terminate()
    else {
      threads[thread].postMessage(request)
      if (request.command !== 'block') await once(threads[thread], 'message')
    }
    console.log(`${request.command} done`)
  })
} else {
  parentPort.on('message', (request) => parentPort.postMessage(run(request)))
  parentPort.postMessage('joined')
}

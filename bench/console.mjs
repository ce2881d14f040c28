// What the console costs: what it adds to a request, its memory, and the processor time of an idle process that exposes it
// without a viewer, with one and with ten. `npm run build`, then `node bench/console.mjs`.
//
// The base of all is the same process with observation, without the console.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, missed, report } from './harness.mjs'
import { added, answer, nodeRoute } from './requests.mjs'

const { bearerToken, createManagement } = await load('upkeep')
const { manage, observe } = await load('upkeep/node')
const rounds = Number(process.env.ROUNDS ?? 5)
const idleMilliseconds = Number(process.env.IDLE ?? 10_000)
const token = 'let-me-in'

function create(expose) {
  const options = { metrics: { runtime: false }, expose, authorize: bearerToken(token) }
  const management = createManagement(options)
  const observed = observe(management, { route: nodeRoute })
  return { management, handle: (req, res) => observed(req, res, () => answer(req, res)) }
}

const [base, control] = [create(['health']), create(['health'])]
const heapBefore = await heap()
const shown = create(['health', 'console'])
const kept = (await heap()) - heapBefore

const result = await added({ base: base.handle, control: control.handle, console: shown.handle })
// A request over a network takes 30 us at least: three percent of it are 0.9 us.
report('console: microseconds added to a request', result.console, {
  atMost: 0.9,
  detail: `control ${result.control.toFixed(2)}, the request alone ${result.base.toFixed(2)}`,
})
report('console: megabytes when it is exposed', kept / 2 ** 20, { atMost: 4 })
report('console: megabytes after the requests', ((await heap()) - heapBefore) / 2 ** 20, { atMost: 4 })
shown.management.close()

for (const [viewers, atMost] of [
  [0, 0.1],
  [1, 0.5],
  [10, 3],
]) {
  const differences = []
  for (let round = 0; round < rounds; round++) {
    const [without, withConsole] = [await idle(['health'], 0), await idle(['health', 'console'], viewers)]
    differences.push(withConsole - without)
  }
  report(`console: ${viewers} viewers, % of a core`, median(differences), { atMost })
}
process.exit(missed().length > 0 ? 1 : 0)

/** Returns the processor time of an idle service with viewers in another process, as a share of one core in percent. */
async function idle(expose, viewers) {
  const { management } = create(expose)
  const server = createServer(manage(management))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const watching = viewers === 0 ? undefined : await watch(server.address().port, viewers)
  await sleep(500)
  const before = process.cpuUsage()
  const began = performance.now()
  await sleep(idleMilliseconds)
  const { user, system } = process.cpuUsage(before)
  const passed = performance.now() - began
  watching?.kill()
  server.closeAllConnections()
  server.close()
  management.close()
  return (user + system) / passed / 10
}

/** Starts a process that reads as many streams. */
async function watch(port, viewers) {
  const { spawn } = await import('node:child_process')
  const url = `http://127.0.0.1:${port}/management/console/stream`
  const code = `
    const headers = { authorization: 'Bearer ${token}' }
    for (let at = 0; at < ${viewers}; at++) fetch('${url}', { headers }).then(async ({ body }) => {
      if (at === ${viewers - 1}) process.stdout.write('open')
      for await (const chunk of body);
    })`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

async function heap() {
  globalThis.gc?.()
  await sleep(50)
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

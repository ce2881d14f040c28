// What `upkeep/auto` adds to an application of Express 5, beside `@opentelemetry/auto-instrumentations-node`, which is
// installed into a folder of its own: time to the first server, memory, CPU per request. OpenTelemetry exports to a
// receiver that accepts everything; upkeep/auto has its default (health), a token, and that export as well. Goals: at
// most 0.1, 0.15 and 0.1 of what OpenTelemetry adds. Beside them stands a file without upkeep that has the metrics of
// the process and of requests by prom-client, and serves them.
// Usage, in the repository and after `npm run build`: node bench/auto.mjs [rounds, 7 by default] [commit …]
// The CPU time is that of 8,000 requests, or of as many as the variable REQUESTS says, after 4,000 others.
// The build of each commit is a contender too, with a token and the export.
//
// A round starts each contender once, in random order, and compares it with the bare application of the same round.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { join, resolve } from 'node:path'
import { buildOf, currentBuild } from './build-of.mjs'
import { median, shuffled } from './harness.mjs'

const rounds = Math.min(Number(process.argv[2] ?? 7), 50)
if (!(rounds >= 3)) throw new RangeError(`rounds must be 3 to 50, not ${process.argv[2]}`)
const measured = Number(process.env.REQUESTS ?? 8_000)
if (!(measured >= 1_000 && measured <= 1e6)) throw new RangeError(`REQUESTS must be 1000 to 1000000, not ${measured}`)
const [warmUp, concurrency] = [4_000, 8]

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'build/auto')
const openTelemetry = { '@opentelemetry/auto-instrumentations-node': '0.81.0', '@opentelemetry/api': '1.9.1' }

const program = `
import express from 'express'
const app = express()
app.get('/orders/:id', (req, res) => res.json({ id: req.params.id }))
const server = app.listen(0, '127.0.0.1', () => {
  const { cpuUsage, memoryUsage } = process
  const { port } = server.address()
  process.send({ milliseconds: performance.now(), cpu: cpuUsage(), rss: memoryUsage().rss, port })
})
process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss }))
`

const promClient = `
import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { collectDefaultMetrics, Histogram, register } from 'prom-client'

collectDefaultMetrics()
const labelNames = ['method', 'route', 'status']
const requests = new Histogram({ name: 'http_request_duration_seconds', help: 'Requests.', labelNames })
const startTimes = new WeakMap()
subscribe('http.server.request.start', ({ request }) => void startTimes.set(request, performance.now()))
subscribe('http.server.response.finish', ({ request, response }) => {
  const labels = { method: request.method, route: request.route?.path ?? 'none', status: response.statusCode }
  requests.observe(labels, (performance.now() - startTimes.get(request)) / 1_000)
})
const metrics = createServer(async (req, res) => {
  res.setHeader('content-type', register.contentType).end(await register.metrics())
})
metrics.listen(0, '127.0.0.1').unref()
`

prepare()
const receiver = createServer((req, res) => req.resume().on('end', () => res.end())).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const endpoint = `http://127.0.0.1:${receiver.address().port}`
const quiet = { UPKEEP_HOST: '127.0.0.1', UPKEEP_QUIET: 'true' }
const auto = (env, build = currentBuild) => ({
  args: ['--import', join(build, 'dist/auto.js')],
  env: { ...quiet, ...env },
})
const everything = { UPKEEP_TOKEN: 'bench', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
const contenders = {
  bare: { args: [], env: {} },
  health: auto({}),
  'with a token': auto({ UPKEEP_TOKEN: 'bench' }),
  'with a token and OTLP': auto(everything),
  ...Object.fromEntries(
    process.argv.slice(3).map((commit) => [`with a token and OTLP, ${commit}`, auto(everything, buildOf(commit))]),
  ),
  'prom-client': { args: ['--import', './prom-client.mjs'], env: {} },
  OpenTelemetry: {
    args: ['--require', '@opentelemetry/auto-instrumentations-node/register'],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'bench', OTEL_LOG_LEVEL: 'none' },
  },
}

const { bare: _, ...compared } = contenders
const added = Object.fromEntries(Object.keys(compared).map((name) => [name, []]))
for (let round = 0; round < rounds; round += 1) {
  const results = {}
  for (const name of shuffled(Object.keys(contenders))) results[name] = await run(contenders[name])
  for (const [name, differences] of Object.entries(added)) {
    differences.push(
      Object.fromEntries(Object.entries(results[name]).map(([key, value]) => [key, value - results.bare[key]])),
    )
  }
}
receiver.close()
receiver.closeAllConnections()

const goals = {
  startMilliseconds: 0.1,
  // Depends less on other load of the machine.
  startCpuMilliseconds: 0.1,
  startMegabytes: 0.15,
  loadedMegabytes: 0.15,
  microsecondsPerRequest: 0.1,
}
const { OpenTelemetry: others, ...ours } = added
for (const [name, differences] of Object.entries(ours)) {
  console.log(name === 'prom-client' ? name : `upkeep/auto: ${name}`)
  console.table(
    Object.entries(goals).map(([measure, goal]) => ({
      measure,
      adds: median(differences.map((difference) => difference[measure])).toFixed(1),
      'OpenTelemetry adds': median(others.map((difference) => difference[measure])).toFixed(1),
      ratio: median(others.map((difference, at) => differences[at][measure] / difference[measure])).toFixed(3),
      goal,
    })),
  )
}
console.log(`Node ${process.version}, median of ${rounds} rounds`)

async function run({ args, env }) {
  const child = spawn(process.execPath, [...args, 'app.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`${args.join(' ')} app.mjs ended with ${code}`)))
  failed.catch(() => {})
  const [{ milliseconds, cpu: startCpu, rss, port }] = await Promise.race([once(child, 'message'), failed])
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  await load(port, agent, warmUp)
  const before = await usage(child)
  await load(port, agent, measured)
  const after = await usage(child)
  agent.destroy()
  child.kill('SIGKILL')
  await ended
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  return {
    startMilliseconds: milliseconds,
    startCpuMilliseconds: (startCpu.user + startCpu.system) / 1_000,
    startMegabytes: rss / 2 ** 20,
    loadedMegabytes: after.rss / 2 ** 20,
    microsecondsPerRequest: cpu / measured,
  }
}

async function usage(child) {
  child.send('usage')
  const [message] = await once(child, 'message')
  return message
}

async function load(port, agent, count) {
  let left = count
  const client = async () => {
    while (left > 0) {
      left -= 1
      const request = get({ host: '127.0.0.1', port, agent, path: `/orders/${left}` })
      const [response] = await once(request, 'response')
      await once(response.resume(), 'end')
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
}

/** The folder is below the repository, where Node finds Express and prom-client. */
function prepare() {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: openTelemetry }))
  writeFileSync(join(folder, 'app.mjs'), program)
  writeFileSync(join(folder, 'prom-client.mjs'), promClient)
  if (existsSync(join(folder, 'node_modules/@opentelemetry/auto-instrumentations-node'))) return
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('@opentelemetry/auto-instrumentations-node could not be installed')
}

// A service of node:cluster whose primary and workers shut down gracefully. Its standard input takes commands.
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** A limit that ends by the command `expire`, so that no test has to wait for it. */
const anHour = 3_600_000
const limits = new Set()
const { setTimeout: startTimer } = globalThis
globalThis.setTimeout = (call, milliseconds, ...parameters) => {
  if (milliseconds === anHour) limits.add(call)
  return startTimer(call, milliseconds, ...parameters)
}

const { UPKEEP_DIST, PORT, POLICY, WORKERS, DELAY = '0s', MODE = 'upkeep', GROUP_DIRECTORY } = process.env
const { createManagement } = await import(`${UPKEEP_DIST}/index.js`)

if (cluster.isPrimary) {
  const { shutdownGracefully } = await import(`${UPKEEP_DIST}/node.js`)
  const { reloadOnSignal, reloadWorkers, stopWorkers } = await import(`${UPKEEP_DIST}/cluster.js`)
  cluster.schedulingPolicy = POLICY === 'none' ? cluster.SCHED_NONE : cluster.SCHED_RR
  const print = (line) => console.log(line)
  // As applications do.
  cluster.on('exit', ({ id, exitedAfterDisconnect }, code, signal) => {
    print(`worker ${id} exited with ${signal || code}${exitedAfterDisconnect ? '' : ', forking another'}`)
    if (!exitedAfterDisconnect) cluster.fork()
  })
  let listening = 0
  cluster.on('listening', ({ id }) => {
    print(`worker ${id} listens`)
    listening += 1
    if (listening === Number(WORKERS)) print('ready')
  })
  for (let at = 0; at < Number(WORKERS); at += 1) cluster.fork()
  const options = { startTimeout: '1m', stopTimeout: '1m', report: print }
  reloadOnSignal('SIGHUP', options)
  shutdownGracefully([], createManagement(), {
    delay: '0s',
    hooks: [{ name: 'workers', run: () => stopWorkers({ stopTimeout: '1m' }), timeout: '2m' }],
    report: print,
  })
  createInterface(process.stdin).on('line', (line) => {
    const { command, env = {}, ...rest } = JSON.parse(line)
    Object.assign(process.env, env)
    if (command === 'reload') {
      reloadWorkers({ ...options, ...rest }).then(
        (result) => print(`reloaded ${JSON.stringify(result)}`),
        (error) => print(`failed: ${error.message}`),
      )
    } else if (command === 'kill') cluster.workers[rest.id].process.kill('SIGKILL')
    else if (command === 'expire') for (const end of limits) end()
    else if (command === 'proceed') for (const worker of Object.values(cluster.workers)) worker.send('proceed')
    else if (command === 'echo') {
      const [worker] = Object.values(cluster.workers)
      worker.once('message', (message) => print(`echo ${JSON.stringify(message)}`))
      worker.send('hello')
    } else print(`workers ${Object.keys(cluster.workers).join(' ')}`)
  })
} else {
  if (MODE === 'throws') throw new Error('a bug of the new version')
  const { manage, shutdownGracefully } = await import(`${UPKEEP_DIST}/node.js`)
  let count = 0
  const management = createManagement()
  if (GROUP_DIRECTORY !== undefined) {
    const { joinCluster } = await import(`${UPKEEP_DIST}/cluster.js`)
    joinCluster(management, { directory: GROUP_DIRECTORY, group: 'workers' })
  }
  const answered = management.meters.counter('requests.answered')
  const server = createServer((request, response) => {
    if (request.url.startsWith('/management')) return manage(management)(request, response)
    count += 1
    const body = `${process.pid} `.padEnd(2_000, '.')
    const delay = request.url === '/slow' ? 1_000 : count % 10
    setTimeout(() => {
      answered.increment()
      response.setHeader('Content-Length', body.length).end(body)
    }, delay)
  })
  if (!MODE.startsWith('plain')) {
    shutdownGracefully(server, management, { delay: DELAY, report: () => undefined })
  }
  if (MODE === 'not ready') management.availability.addStartupTask(new Promise(() => undefined), 'migration')
  if (MODE === 'late') {
    const proceeds = new Promise((resolve) => process.on('message', (message) => message === 'proceed' && resolve()))
    management.availability.addStartupTask(proceeds, 'migration')
  }
  if (MODE === 'plain hangs') process.on('SIGTERM', () => console.log('hangs'))
  process.on('message', (message) => message === 'hello' && process.send(message))
  if (MODE === 'mute') console.log('mute')
  else server.listen(Number(PORT), '127.0.0.1')
}

// A process for cluster.mjs, with 10,000 counters or timers: `node cluster-member.mjs counter|timer 1|0 1|0`, whether
// it joins the group of $GROUP_DIRECTORY, and whether all values change between two writes. It is scraped over HTTP,
// and answers messages: `cpu`, `watch` and `longest`, `block`.
import { load } from './harness.mjs'
import { watchLoop } from './watch-loop.mjs'

const [kind, joins, changes] = process.argv.slice(2)
const { createManagement } = await load('upkeep')
const { joinCluster } = await load('upkeep/cluster')
const { listen } = await load('upkeep/node')

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const management = createManagement({
  application: { name: 'bench' },
  expose: ['prometheus'],
  authorize: () => ({ name: 'bench' }),
  metrics: { runtime: false, maximumSeriesPerMeter: Number.POSITIVE_INFINITY },
  tracing: false,
})
const { meters } = management
const all = Array.from({ length: 10_000 }, (_, index) => {
  const tags = { method: ['GET', 'PUT', 'POST', 'DELETE'][index & 3], uri: `/api/v1/resource/${index >> 2}` }
  return kind === 'counter' ? meters.counter('orders', tags) : meters.timer('work', tags, { slo: bounds })
})

let round = 0
function change() {
  round += 1
  if (kind === 'counter') for (let at = 0; at < all.length; at++) all[at].increment(at)
  else for (let at = 0; at < all.length; at++) all[at].record(((at * 7919 + round * 104_729) % 600_011) / 100_000)
}
change()
if (changes === '1') setInterval(change, 200)

const server = await listen(management, { port: 0, host: '127.0.0.1' })
if (joins === '1') {
  joinCluster(management, {
    directory: process.env.GROUP_DIRECTORY,
    group: process.env.GROUP ?? `alone-${process.pid}`,
    maximumSeriesPerMeter: 1_000_000,
  })
}

let endWatch
const answers = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return { seconds: (user + system) / 1e6, at: performance.now() / 1000 }
  },
  watch() {
    endWatch = watchLoop()
  },
  longest: () => endWatch(),
  block() {
    process.send({})
    for (;;);
  },
}
process.on('message', (message) => process.send(answers[message]() ?? {}))
process.on('disconnect', () => process.exit())
process.send({ port: server.address.port })

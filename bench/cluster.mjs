// Many processes as one: `node bench/cluster.mjs`. What a member costs, what a scrape of all of them costs, also beside
// the cluster registry of @prometheus-io/client, and what happens in both when a worker is killed every second.
//
// $ROUNDS is the number of pairs, $SECONDS how long a member's CPU time is measured, $KILLS the number of killed
// workers. A quick run: ROUNDS=3 SECONDS=1 KILLS=4 node bench/cluster.mjs
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runFailures } from './cluster-failures.mjs'
import { measureMerge } from './cluster-merge.mjs'
import { agent, request, start } from './cluster-processes.mjs'
import { median, missed, pairedValues, report } from './harness.mjs'

const rounds = Number(process.env.ROUNDS ?? 9)
const seconds = Number(process.env.SECONDS ?? 5)
const kills = Number(process.env.KILLS ?? 10)
const ourPath = '/management/prometheus'

const folder = mkdtempSync(join(tmpdir(), 'upkeep-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
function groupDirectory(name) {
  const directory = join(folder, name)
  mkdirSync(directory, { mode: 0o700 })
  return directory
}

/** The percentages of a core that a process uses, round by round, beside one that does the same. */
async function cpuOf(processes) {
  const before = await Promise.all(processes.map((each) => each.ask('cpu')))
  await sleep(seconds * 1_000)
  const after = await Promise.all(processes.map((each) => each.ask('cpu')))
  return after.map(({ seconds: used, at }, index) => (100 * (used - before[index].seconds)) / (at - before[index].at))
}

/** A member, and a process that does the same without joining. */
async function pairOf(kind, changes, env) {
  return Promise.all(['1', '0'].map((joins) => start('cluster-member.mjs', [kind, joins, changes], env)))
}

/** The CPU time that members use more than the same processes without joining. */
async function reportCpu(pairs) {
  // Until all definitions are read.
  await sleep(5_000)
  const cores = []
  for (let round = 0; round < rounds; round++) cores.push(await cpuOf(pairs.flatMap(({ processes }) => processes)))
  for (const [index, { what, percent }] of pairs.entries()) {
    const [joined, alone] = [2 * index, 2 * index + 1]
    const middle = (at) => median(cores.map((round) => round[at])).toFixed(2)
    report(`${what}: % of a core`, median(cores.map((round) => round[joined] - round[alone])), {
      atMost: percent,
      detail: `${middle(joined)} %, without joining ${middle(alone)} %`,
    })
  }
}

/** The longest slices of many single writes: a window is as long as the time between two. */
async function reportSlices({ what, processes }) {
  const slices = []
  for (let window = 0; window < 3 * rounds; window++) {
    await Promise.all(processes.map((each) => each.ask('watch')))
    await sleep(200)
    slices.push(await Promise.all(processes.map((each) => each.ask('longest'))))
  }
  const slice = (part, at) => median(slices.map((window) => window[at][part]))
  report(`${what}: longest slice of a write, ms`, slice('undisturbed', 0), {
    atMost: 1,
    detail:
      `without joining ${slice('undisturbed', 1).toFixed(2)} ms; with turns that the system interrupted ` +
      `${slice('longest', 0).toFixed(2)} ms, without joining ${slice('longest', 1).toFixed(2)} ms`,
  })
}

async function writing() {
  const env = { GROUP_DIRECTORY: groupDirectory('writing') }
  const pairs = await Promise.all(
    [
      { kind: 'counter', changes: '1', percent: 0.3 },
      { kind: 'timer', changes: '1', percent: 1 },
      { kind: 'counter', changes: '0', percent: 0.1 },
      { kind: 'timer', changes: '0', percent: 0.1 },
    ].map(async ({ kind, changes, percent }) => ({
      what: `10,000 ${kind}s, ${changes === '1' ? 'all change' : 'none changes'}`,
      percent,
      processes: await pairOf(kind, changes, env),
    })),
  )
  await reportCpu(pairs)
  for (const pair of pairs) await reportSlices(pair)
  for (const each of pairs.flatMap(({ processes }) => processes)) await each.kill()
}

/** A member of eight looks once a second at what the seven others have written. */
async function writingOfEight(kind) {
  const env = { GROUP_DIRECTORY: groupDirectory(`${kind}s`), GROUP: 'eight' }
  const starts = Array.from({ length: 7 }, () => start('cluster-member.mjs', [kind, '1', '1'], env))
  const [processes, ...others] = await Promise.all([pairOf(kind, '1', env), ...starts])
  await reportCpu([{ what: `10,000 ${kind}s, all change, one of 8 members`, processes }])
  for (const each of [...processes, ...others]) await each.kill()
}

async function scrapesOf(port, path, connection) {
  const times = []
  for (let round = 0; round < 2 * rounds + 1; round++) {
    const from = performance.now()
    await request(port, path, { agent: connection })
    times.push(performance.now() - from)
  }
  return median(times)
}

/** Before: a process in `for(;;)` that is no member, so that both scrapes have as many processors. */
async function blocked() {
  const env = { GROUP_DIRECTORY: groupDirectory('blocked'), GROUP: 'blocked' }
  const stranger = await start('cluster-member.mjs', ['counter', '0', '0'])
  const [scraped, ...others] = await Promise.all(
    Array.from({ length: 4 }, () => start('cluster-member.mjs', ['counter', '1', '0'], env)),
  )
  const connection = agent()
  await stranger.ask('block')
  await scrapesOf(scraped.port, ourPath, connection)
  const before = await scrapesOf(scraped.port, ourPath, connection)
  await stranger.kill()
  await others[0].ask('block')
  await sleep(3_000)
  const during = await scrapesOf(scraped.port, ourPath, connection)
  const { text } = await request(scraped.port, ourPath)
  const stale = /^upkeep_cluster_stale(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]
  for (const each of [scraped, ...others]) await each.kill()
  connection.destroy()
  report('4 members, one of them in for(;;): scrape / before', during / before, {
    atMost: 1.2,
    detail: `${during.toFixed(1)} ms, before ${before.toFixed(1)} ms; ${stale} is shown as stale`,
  })
}

async function services(workers, series, name) {
  const args = [`${workers}`, `${series}`]
  const ours = await start('cluster-service.mjs', ['ours', ...args], { GROUP_DIRECTORY: groupDirectory(name) })
  const theirs = await start('cluster-service.mjs', ['theirs', ...args])
  return { ours, theirs }
}

async function beside() {
  const { ours, theirs } = await services(8, 10_000, 'scrapes')
  const connections = { ours: agent(), theirs: agent() }
  const time = async (port, path, connection) => {
    const from = performance.now()
    const { status } = await request(port, path, { agent: connection, timeout: 30_000 })
    if (status !== 200) failed += 1
    return performance.now() - from
  }
  const contenders = {
    ours: () => time(ours.scrapePort, ourPath, connections.ours),
    theirs: () => time(theirs.scrapePort, '/', connections.theirs),
  }
  let failed = 0
  for (const contender of Object.values(contenders)) for (let warm = 0; warm < 3; warm++) await contender()
  const times = await pairedValues(contenders, { rounds })
  for (const connection of Object.values(connections)) connection.destroy()
  await ours.stop()
  await theirs.stop()
  report('8 workers × 10,000 counters over HTTP: @prometheus-io/client / ours', times.ratio('theirs', 'ours'), {
    detail: `${times.value('ours').toFixed(0)} ms, ${times.value('theirs').toFixed(0)} ms; ${failed} scrapes failed`,
  })
}

async function failures() {
  const { ours, theirs } = await services(4, 10_000, 'failures')
  const results = {
    upkeep: await runFailures(ours, { path: ourPath, seconds: kills }),
    '@prometheus-io/client': await runFailures(theirs, { path: '/', seconds: kills }),
  }
  await ours.stop()
  await theirs.stop()
  for (const [whose, run] of Object.entries(results)) {
    const goal = (atMost) => (whose === 'upkeep' ? { atMost } : {})
    console.log(`4 workers × 10,000 counters, ${run.kills} of them killed, one per second: ${whose}`)
    report('  scrapes that failed', run.failed, { ...goal(0), detail: `of ${run.scrapes}` })
    report('  times that the sum fell', run.falls, goal(0))
    report('  requests above those answered in the last sum', Math.max(0, run.last - run.answered), goal(0))
    report('  requests missing in the last sum', run.answered - run.last, {
      ...goal(run.tolerated),
      detail: `of ${run.answered}; in their last 300 ms, the killed ones answered ${run.tolerated}`,
    })
  }
}

console.log(`Node ${process.version}; milliseconds are this machine's, ratios are what counts`)
await writing()
await writingOfEight('counter')
await writingOfEight('timer')
await measureMerge('counter', rounds)
await measureMerge('timer', rounds)
await blocked()
await beside()
await failures()
if (missed().length > 0) process.exitCode = 1

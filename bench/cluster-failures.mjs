// Requests and scrapes of a service whose workers are killed, one per second.
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, request } from './cluster-processes.mjs'

const clients = 4
const scrapeMilliseconds = 200
/** What a killed worker of upkeep may have counted without having written it. */
const lostMilliseconds = 300

/** Returns the sum of the counter in a scrape; `undefined` if the scrape failed. */
async function scrape(service, path) {
  try {
    const { status, text } = await request(service.scrapePort, path)
    const line = /^answered_total(?:\{[^}]*\})? (\S+)$/m.exec(text)
    return status === 200 ? Number(line?.[1] ?? 0) : undefined
  } catch {
    return undefined
  }
}

/**
 * Sends requests for so many seconds, of which each but the first two ends with a kill, and scrapes meanwhile.
 *
 * Answers how many scrapes there were and failed, how often the sum fell, the requests that were answered, the last
 * sum, and how many requests the killed workers answered in the last moments of their lives.
 */
export async function runFailures(service, { path, seconds }) {
  const answeredAt = new Map()
  const sums = []
  let answered = 0
  let isOver = false
  let isLoadOver = false

  const load = async () => {
    const own = agent()
    while (!isLoadOver) {
      try {
        const { text } = await request(service.port, '/', { agent: own, timeout: 2_000 })
        answered += 1
        const times = answeredAt.get(text) ?? []
        times.push(performance.now())
        answeredAt.set(text, times)
      } catch {
        // The connection was that of a killed worker.
      }
      await sleep(2)
    }
    own.destroy()
  }
  const scrapes = async () => {
    while (!isOver) {
      sums.push(await scrape(service, path))
      await sleep(scrapeMilliseconds)
    }
  }
  const loads = Array.from({ length: clients }, load)
  const scraping = scrapes()

  const kills = []
  await sleep(1_000)
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000)
    const at = performance.now()
    const { pid } = await service.ask('kill')
    kills.push({ pid: `${pid}`, at })
  }
  await sleep(1_000)
  isLoadOver = true
  await Promise.all(loads)
  await sleep(1_000)
  isOver = true
  await scraping

  let last = await scrape(service, path)
  for (let tries = 0; last === undefined && tries < 20; tries += 1) last = await scrape(service, path)
  const known = [...sums.filter((sum) => sum !== undefined), last]
  const recent = kills.map(({ pid, at }) => answeredAt.get(pid)?.filter((time) => time > at - lostMilliseconds) ?? [])
  return {
    scrapes: sums.length,
    failed: sums.filter((sum) => sum === undefined).length,
    falls: known.filter((sum, index) => sum < known[index - 1]).length,
    kills: kills.length,
    answered,
    last,
    tolerated: recent.flat().length,
  }
}

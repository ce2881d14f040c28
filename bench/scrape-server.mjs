// A service that is scraped, for scrape.mjs: `ours` or `theirs`, with so many counters and histograms. Between the
// messages `watch` and `report` it looks how long its event loop is blocked at the longest, and reports that in
// milliseconds: at all, and in the turns during which the system did not take the processor away, as it does on a busy
// machine.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { load } from './harness.mjs'
import { fillOurs, fillTheirs } from './scrape-content.mjs'

const [whose, ...sizes] = process.argv.slice(2)
const answer = await (whose === 'ours' ? answerOurs : answerTheirs)(...sizes.map(Number))
const server = createServer(answer).listen(0, '127.0.0.1')
await once(server, 'listening')
watchLoop()
process.send(server.address().port)
process.on('disconnect', () => process.exit())

async function answerOurs(counters, histograms) {
  const { createScraper } = await load('src/prometheus/scraper.ts')
  const { prometheusText } = await load('src/prometheus/exposition/text-format.ts')
  const { sendResponse } = await load('adapters/node/send-response.ts')
  const scraper = createScraper(fillOurs(counters, histograms))
  return (_, response) => sendResponse(response, { status: 200, headers: {}, body: scraper.scrape(prometheusText) })
}

function answerTheirs(counters, histograms) {
  const registry = fillTheirs(counters, histograms)
  return async (_, response) => response.end(await registry.metrics())
}

function watchLoop() {
  let watching = false
  let longest = 0
  let undisturbed = 0
  let last = 0
  let switches = 0
  const turn = () => {
    const took = performance.now() - last
    const { involuntaryContextSwitches } = process.resourceUsage()
    longest = Math.max(longest, took)
    if (involuntaryContextSwitches === switches) undisturbed = Math.max(undisturbed, took)
    switches = involuntaryContextSwitches
    last = performance.now()
    if (watching) setImmediate(turn)
  }
  process.on('message', (message) => {
    if (message === 'watch') {
      watching = true
      last = performance.now()
      turn()
      longest = 0
      undisturbed = 0
    } else {
      watching = false
      turn()
      process.send({ longest, undisturbed })
    }
  })
}

// What a series costs in memory once it was scraped, beside prom-client: `node bench/memory.mjs`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { missed, pairedValues, report } from './harness.mjs'

const rows = [
  { kind: 'counter', series: 50_000, atMost: 1.1 },
  { kind: 'histogram', series: 10_000, atMost: 0.8 },
]

/** Each measurement in a new process, which has nothing else on its heap. */
function bytesPerSeries(whose, kind, series) {
  return async () => {
    const child = fork(new URL('memory-of.mjs', import.meta.url), [whose, kind, `${series}`], {
      execArgv: ['--expose-gc'],
    })
    const [bytes] = await once(child, 'message')
    return bytes
  }
}

console.log(`Node ${process.version}; bytes of heapUsed and arrayBuffers after garbage collection`)
for (const { kind, series, atMost } of rows) {
  const contenders = {
    ours: bytesPerSeries('ours', kind, series),
    theirs: bytesPerSeries('theirs', kind, series),
  }
  const bytes = await pairedValues(contenders, { rounds: 5 })
  const detail = `${bytes.value('ours').toFixed(0)} bytes, prom-client ${bytes.value('theirs').toFixed(0)} bytes`
  report(`memory of a ${kind} series after a scrape: ours / prom-client`, bytes.ratio('ours', 'theirs'), {
    atMost,
    detail,
  })
}
if (missed().length > 0) process.exitCode = 1

import type { Worker } from 'node:worker_threads'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { readProcessStatus } from './process-status.ts'

const channels = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:diagnostics_channel'))
const threads = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:worker_threads'))

/**
 * The threads of the process, V8's and libuv's included, if the operating system reports them (Linux). `threads.live`
 * and `process.threads` are their number, `threads.peak` the maximum, `threads.started` the total. `threads.daemon` are
 * those other than the main thread and workers. V8 and libuv never end a thread, so that only workers change these
 * numbers.
 */
export function bindThreadMeters({ meters, prefix, status }: RuntimeMeasuring): () => void {
  if (status === undefined) return () => {}
  const workers = watchWorkers(() => {
    peak = Math.max(peak, readProcessStatus().threads)
  })
  let peak = 0
  let started = 0
  const live = () => {
    const running = status().threads
    peak = Math.max(peak, running)
    return running
  }
  live()

  const gauge = (name: string, description: string, read: () => number) =>
    meters.gauge(name, {}, read, { description, baseUnit: 'threads' })
  gauge(`${prefix}threads.live`, 'The number of threads of the process', live)
  gauge('process.threads', 'The number of threads of the process', live)
  gauge(
    `${prefix}threads.daemon`,
    'The number of threads of V8 and libuv: neither the main thread nor a worker',
    () => {
      // A worker that has just ended may still be counted by one of the two.
      return Math.max(0, live() - 1 - workers.running())
    },
  )
  gauge(`${prefix}threads.peak`, 'The maximum number of threads at any scrape or start of a worker', () => {
    live()
    return peak
  })
  meters.functionCounter(
    `${prefix}threads.started`,
    {},
    () => {
      started = Math.max(started, live() + workers.ended())
      return started
    },
    { description: 'The number of threads that were started, without workers of before', baseUnit: 'threads' },
  )
  return workers.stop
}

/** The workers that this thread started. */
interface Workers {
  readonly running: () => number
  readonly ended: () => number
  readonly stop: () => void
}

/** Watches the start of workers. Adds no listener to a worker, whose listeners belong to the application. */
function watchWorkers(onStart: () => void): Workers {
  const running = new Set<Worker>()
  let ended = 0
  const removeEnded = () => {
    for (const worker of running) {
      if (worker.threadId !== -1) continue
      running.delete(worker)
      ended += 1
    }
  }
  const { Worker } = threads()
  const add = (message: unknown) => {
    const worker: unknown = typeof message === 'object' && message !== null && 'worker' in message && message.worker
    if (!(worker instanceof Worker)) return
    // Here and not only at a scrape, so that ended workers are not retained while nothing is scraped.
    removeEnded()
    running.add(worker)
    onStart()
  }
  channels().subscribe('worker_threads', add)
  return {
    running: () => {
      removeEnded()
      return running.size
    },
    ended: () => {
      removeEnded()
      return ended
    },
    stop: () => void channels().unsubscribe('worker_threads', add),
  }
}

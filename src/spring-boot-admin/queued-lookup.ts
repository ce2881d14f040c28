import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** The lookup of a request, which waits until no other one is pending. */
interface QueuedLookup {
  readonly lookUp: LookupFunction
  /** Gives up waiting. A lookup that has begun cannot be aborted. */
  cancel(): void
}

interface Queue {
  isPending: boolean
  readonly waiting: Set<() => void>
}

/** The key of the queue: one per process, also if ESM and CommonJS load this module. */
const key: unique symbol = Symbol.for('upkeep.lookups')

/**
 * Creates the lookup of a request. Names are looked up one at a time in the whole process: a lookup occupies a thread
 * as long as the resolver waits, and all lookups of the process have two of these by default.
 */
export function createQueuedLookup(): QueuedLookup {
  const shared: typeof globalThis & { [key]?: Queue } = globalThis
  shared[key] ??= { isPending: false, waiting: new Set() }
  const queue = shared[key]
  let begin: (() => void) | undefined
  return {
    lookUp(hostname, options, callback) {
      begin = () => {
        queue.isPending = true
        try {
          lookup(hostname, options, (...result) => {
            endPending(queue)
            callback(...result)
          })
        } catch (error) {
          endPending(queue)
          callback(error as NodeJS.ErrnoException, '')
        }
      }
      if (queue.isPending) queue.waiting.add(begin)
      else begin()
    },
    cancel() {
      if (begin !== undefined) queue.waiting.delete(begin)
    },
  }
}

function endPending(queue: Queue): void {
  queue.isPending = false
  const [next] = queue.waiting
  if (next === undefined) return
  queue.waiting.delete(next)
  next()
}

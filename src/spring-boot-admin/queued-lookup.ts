import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** The lookup of a request, which waits until no other one is pending. */
interface QueuedLookup {
  readonly lookUp: LookupFunction
  /** Gives up waiting. A lookup that has begun cannot be aborted. */
  cancel(): void
}

let isPending = false
const waiting = new Set<() => void>()

/**
 * Creates the lookup of a request. Names are looked up one at a time in the whole process: a lookup occupies a thread
 * as long as the resolver waits, and all lookups of the process have two of these by default.
 */
export function createQueuedLookup(): QueuedLookup {
  let begin: (() => void) | undefined
  return {
    lookUp(hostname, options, callback) {
      begin = () => {
        isPending = true
        try {
          lookup(hostname, options, (...result) => {
            endPending()
            callback(...result)
          })
        } catch (error) {
          endPending()
          callback(error as NodeJS.ErrnoException, '')
        }
      }
      if (isPending) waiting.add(begin)
      else begin()
    },
    cancel() {
      if (begin !== undefined) waiting.delete(begin)
    },
  }
}

function endPending(): void {
  isPending = false
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  next()
}

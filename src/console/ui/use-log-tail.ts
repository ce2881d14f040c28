import { useEffect, useState } from 'preact/hooks'
import type { LogsDocument } from '../documents.ts'
import { formatQuery, type LinkParams } from './hash-route.ts'
import { readLive } from './live.ts'
import { pollDelay } from './retry-delays.ts'
import { requestJson } from './session.ts'
import { mergeTail, type TailRecord, tailLimit } from './tail-records.ts'

const intervalMilliseconds = 2_000

interface LogTail {
  /** The latest first. */
  readonly records: readonly TailRecord[]
  readonly dropped: number
  readonly data: true | undefined
  readonly error: Error | undefined
}

/** Up to where the log of which process has been read. */
interface Place {
  readonly latest: number
  readonly startedAt: number | undefined
}

const nowhere: Place = { latest: 0, startedAt: undefined }

const initial: LogTail = { records: [], dropped: 0, data: undefined, error: undefined }

/** Follows the log records that match a filter, unless paused. Another filter begins anew. */
export function useLogTail(filter: LinkParams, isPaused: boolean): LogTail {
  const query = formatQuery(filter)
  const [tail, setTail] = useState<LogTail & { readonly query?: string } & Partial<Place>>(initial)
  useEffect(() => {
    if (isPaused) return
    const controller = new AbortController()
    let place: Place = tail.query === query ? { latest: tail.latest ?? 0, startedAt: tail.startedAt } : nowhere
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    const request = async (after: number) => {
      const path = `logs?${query}${after === 0 ? '' : `&after=${after}`}&limit=${tailLimit}`
      return (await requestJson(path, controller.signal)) as LogsDocument
    }
    const readNext = async () => {
      const startedAt = readLive().application?.startedAt ?? place.startedAt
      // The numbers begin anew with the process: what it has is then read from its start.
      let after = place.startedAt === undefined || startedAt === place.startedAt ? place.latest : 0
      let found = await request(after)
      if (found.latest < after) {
        after = 0
        found = await request(after)
      }
      place = { latest: found.latest, startedAt }
      setTail((before) => ({
        records: mergeTail(after > 0 && before.query === query ? before.records : [], found, after, query !== ''),
        ...{ dropped: found.dropped, data: true, error: undefined, query, ...place },
      }))
    }
    const read = async () => {
      let failure: unknown
      if (document.visibilityState === 'visible') {
        try {
          await readNext()
          failures = 0
        } catch (error) {
          if (controller.signal.aborted) return
          failure = error
          failures += 1
          setTail((before) => ({ ...(before.query === query ? before : initial), query, error: error as Error }))
        }
      }
      if (!controller.signal.aborted) timer = setTimeout(read, pollDelay(intervalMilliseconds, failures, failure))
    }
    void read()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [query, isPaused])
  return tail.query === query ? tail : initial
}

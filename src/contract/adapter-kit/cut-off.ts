import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { wantField, wantNoField, wantStatus } from '../answer.ts'
import { violationError } from '../check-result.ts'
import { objectOf } from '../json.ts'
import { eventually, openConnection, type Trial, wantEqual } from './subject.ts'

const long = 'x'.repeat(8_000)

/** A source of this many gauges, the last of which throws when read. A source that throws itself would be omitted. */
function sourceOf(count: number, error: string): SnapshotSource {
  function* slices(): Generator<readonly MeterSnapshot[]> {
    for (let index = 1; index <= count; index++) {
      const tags = [{ key: 'long', value: `${index}${long}` }]
      const id = { name: 'conformance.broken', tags, description: undefined, baseUnit: undefined }
      yield [
        {
          kind: 'gauge',
          id,
          get value(): number {
            if (index === count) throw new Error(error)
            return index
          },
        },
      ]
    }
  }
  return {
    names: () => ['conformance.broken'],
    slices,
    *snapshot() {
      for (const slice of slices()) yield* slice
    },
  }
}

/** Meters that fail after more than a megabyte of output. */
const broken = sourceOf(201, 'failed to read the last meter')

/** Meters that fail on first read. */
const unreadable = sourceOf(1, 'password=hunter2')

export const cutOffTrials: readonly Trial[] = [
  {
    title: 'content that fails before its first byte becomes a problem document with 500, without content coding',
    options: { metrics: { sources: [unreadable] }, report: () => undefined },
    async attempt({ ask, at }) {
      for (const coding of ['identity', 'gzip']) {
        const answer = await ask('/prometheus', { headers: { 'Accept-Encoding': coding } })
        wantStatus(answer, 500)
        wantField(answer, 'Content-Type', 'application/problem+json')
        wantNoField(answer, 'Content-Encoding')
        wantEqual(answer, objectOf(answer), {
          type: 'about:blank',
          title: 'Internal Server Error',
          status: 500,
          instance: at('/prometheus'),
        })
      }
    },
  },
  {
    title: 'a response whose content fails midway is cut off, so that it cannot be mistaken for a complete one',
    options: { metrics: { sources: [broken] }, report: () => undefined },
    async attempt(subject) {
      const sent = `GET ${subject.at('/prometheus')}`
      // The client would keep the connection open: the server has to close it.
      const socket = await openConnection(subject, `${sent} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      let [text, closed] = ['', false]
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => {
        closed = true
      })
      await eventually(
        subject,
        () => closed,
        'the end of the connection',
        () => `${text.length} characters`,
      )
      const began = text.startsWith('HTTP/1.1 200 ') && text.includes('conformance_broken{')
      const isWhole = text.endsWith('\r\n0\r\n\r\n')
      if (began && !isWhole) return
      const received = `${text.slice(0, 500)}…\n(${text.length} characters, ${isWhole ? 'with' : 'without'} an end)`
      throw violationError({ sent, received, expected: 'a truncated response' })
    },
  },
]

import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { wantField, wantNoField, wantStatus } from '../answer.ts'
import { connectTo, originOf } from '../http-client/connect.ts'
import { objectOf } from '../json.ts'
import { violationError } from '../violation.ts'
import { eventually, type Trial, wantEqual } from './subject.ts'

const long = 'x'.repeat(8_000)

/** A source of so many gauges, the last of which fails when it is read. A source that throws would be left out. */
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

/** Meters of which more than a megabyte can be read, and not all. */
const broken = sourceOf(201, 'the meters cannot be read to their end')

/** Meters of which nothing can be read. */
const unreadable = sourceOf(1, 'password=hunter2')

export const cutOffTrials: readonly Trial[] = [
  {
    title: 'an answer whose content fails before its first byte is an error document of 500, and no coded one',
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
    title: 'an answer whose content fails midway is cut off, so that nobody takes it for the whole',
    options: { metrics: { sources: [broken] }, report: () => undefined },
    async attempt(subject) {
      const socket = await connectTo(originOf(new URL(`http://127.0.0.1:${subject.port}`)), 10_000)
      let [text, closed] = ['', false]
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        closed = true
      })
      const sent = `GET ${subject.at('/prometheus')}`
      // The client would keep the connection: it is the server that has to end it.
      socket.write(`${sent} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      await eventually(
        subject,
        () => closed,
        'the end of the connection',
        () => `${text.length} characters`,
      )
      const began = text.startsWith('HTTP/1.1 200 ') && text.includes('conformance_broken{')
      const isWhole = text.endsWith('\r\n0\r\n\r\n')
      if (began && !isWhole) return
      const came = `${text.slice(0, 500)}…\n(${text.length} characters, ${isWhole ? 'with' : 'without'} an end)`
      throw violationError({ sent, came, wanted: 'the beginning of an answer, without an end' })
    },
  },
]

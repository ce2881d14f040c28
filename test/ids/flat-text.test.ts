import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  bytesToUuid,
  createTraceIds,
  uuidNamespaces,
  uuidToBytes,
  uuidV1,
  uuidV1FromV6,
  uuidV3,
  uuidV4,
  uuidV5,
  uuidV6,
  uuidV6FromV1,
  uuidV7,
  uuidV8,
} from 'upkeep/ids'
import { beforeAll, expect, it } from 'vitest'

let collectGarbage: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc')
})

const traceIds = createTraceIds()
const count = 20_000

/** A string of 36 one-byte characters takes 56 bytes, and its place in the list 8; a rope or a slice some 32 more. */
const mostBytes = 72

it.each<readonly [string, (index: number) => string]>([
  ['uuidV1', uuidV1],
  ['uuidV3', (index) => uuidV3(`${index}`, uuidNamespaces.URL)],
  ['uuidV4', uuidV4],
  ['uuidV5', (index) => uuidV5(`${index}`, uuidNamespaces.URL)],
  ['uuidV6', uuidV6],
  ['uuidV7', uuidV7],
  ['uuidV8', (index) => uuidV8(new Uint8Array(16).fill(index))],
  ['bytesToUuid', () => bytesToUuid(uuidToBytes(uuidV4()))],
  ['uuidV6FromV1', () => uuidV6FromV1(uuidV1())],
  ['uuidV1FromV6', () => uuidV1FromV6(uuidV6())],
  ['traceId', traceIds.traceId],
  ['spanId', traceIds.spanId],
  // What else of the process lands on the heap meanwhile is measured too: a rope would fail every time.
])('%s returns a flat string, which references no other', { retry: 3 }, (_, make) => {
  expect(bytesEach(make)).toBeLessThan(mostBytes)
})

it('a rope is detected', () => {
  expect(bytesEach((index) => [uuidV4(), index].join('').slice(0, 35) + String(index % 10))).toBeGreaterThan(mostBytes)
})

/** The memory that one kept string takes. */
function bytesEach(make: (index: number) => string): number {
  const kept = Array.from({ length: count }, (_, index) => make(index))
  kept.fill('')
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < count; index += 1) kept[index] = make(index)
  collectGarbage()
  const bytes = (process.memoryUsage().heapUsed - before) / count + 8
  expect(kept).toHaveLength(count)
  return bytes
}

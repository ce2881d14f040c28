import {
  bytesToUuid,
  compareUuids,
  createTraceIds,
  createUuidV1,
  createUuidV4,
  createUuidV6,
  createUuidV7,
  formatBaggage,
  formatTraceparent,
  formatTracestate,
  isUuid,
  maxUuid,
  nilUuid,
  parseBaggage,
  parseTraceparent,
  parseTracestate,
  parseUuid,
  randomFlag,
  requestId,
  sampledFlag,
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
import { expect, it } from 'vitest'

it.each([
  [1, uuidV1],
  [1, createUuidV1()],
  [1, () => uuidV1FromV6(uuidV6())],
  [3, () => uuidV3('example.org', uuidNamespaces.DNS)],
  [4, uuidV4],
  [4, createUuidV4()],
  [5, () => uuidV5('example.org', uuidNamespaces.DNS)],
  [6, uuidV6],
  [6, createUuidV6()],
  [6, () => uuidV6FromV1(uuidV1())],
  [7, uuidV7],
  [7, createUuidV7()],
  [8, () => uuidV8(new Uint8Array(16))],
])('creates UUIDs of version %i', (version, create) => {
  const uuid = create()
  expect([isUuid(uuid), parseUuid(uuid)]).toMatchObject([true, { version }])
})

it('converts and compares UUIDs', () => {
  expect(bytesToUuid(uuidToBytes(maxUuid))).toBe(maxUuid)
  expect([maxUuid, nilUuid].sort(compareUuids)).toEqual([nilUuid, maxUuid])
})

it('keeps the id of a request, or creates one', () => {
  expect([requestId('r-1'), isUuid(requestId(undefined))]).toEqual(['r-1', true])
})

it('reads and writes the header fields of a trace', () => {
  const ids = createTraceIds()
  const context = { traceId: ids.traceId(), spanId: ids.spanId(), flags: sampledFlag | randomFlag }
  expect(parseTraceparent(formatTraceparent(context))).toMatchObject(context)
  expect(formatTracestate(parseTracestate('a=1,b=2') ?? [])).toBe('a=1,b=2')
  expect(formatBaggage(parseBaggage('tenant=acme'))).toBe('tenant=acme')
})

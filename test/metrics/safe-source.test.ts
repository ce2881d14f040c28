import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, vi } from 'vitest'
import { createSafeSource } from '../../src/metrics/safe-source.ts'

it.each([
  ['a text', 'a', 'a string'],
  ['a number among its names', ['a', 5], 'an array'],
])('a source that returns %s has no names, which is reported once', (_, names, received) => {
  const failed = vi.fn()
  const source = createSafeSource({ ...createMeterRegistry(), names: vi.fn().mockReturnValue(names) }, failed)
  expect([source.names(), source.names()]).toEqual([[], []])
  expect(failed.mock.calls).toEqual([[new TypeError(`expected an array of names, received ${received}`)]])
})

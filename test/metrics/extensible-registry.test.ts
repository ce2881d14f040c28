import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { extensible } from '../../src/metrics/extensible-registry.ts'

it('is every registry of upkeep', () => {
  const registry = createMeterRegistry()
  expect(extensible(registry, 'test')).toBe(registry)
})

it.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['meters', 'a string'],
  [{}, 'an object'],
  [{ valueGauge: () => {} }, 'an object'],
  [{ onRefresh: () => {} }, 'an object'],
])('is not %j, which is refused with its type', (meters, received) => {
  expect(() => Reflect.apply(extensible, undefined, [meters, 'test'])).toThrow(
    new TypeError(`test: management.meters: expected a registry of upkeep, received ${received}`),
  )
})

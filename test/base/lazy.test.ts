import { expect, it } from 'vitest'
import { lazy } from '../../src/base/lazy.ts'

it('does not create the value before the first call', () => {
  let made = 0
  lazy(() => {
    made += 1
  })
  expect(made).toBe(0)
})

it('creates one value for all calls', () => {
  const box = lazy(() => ({}))
  expect(box()).toBe(box())
})

it('caches undefined as well', () => {
  let made = 0
  const nothing = lazy(() => {
    made += 1
    return undefined
  })
  expect([nothing(), nothing(), made]).toEqual([undefined, undefined, 1])
})

it('tries again after a failure', () => {
  let tries = 0
  const second = lazy(() => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return tries
  })
  expect(second).toThrow('not yet')
  expect(second()).toBe(2)
})

import { expect, it } from 'vitest'
import { limitRepeats } from '../../../examples/webhook-receiver/limit-repeats.ts'

it('allows ten records of a kind per minute, and counts the others', () => {
  let now = 0
  const omittedBefore = limitRepeats(() => now)
  const ten = Array.from({ length: 10 }, () => 0)
  expect(ten.map(() => omittedBefore('a'))).toEqual(ten)
  expect([omittedBefore('a'), omittedBefore('a'), omittedBefore('b')]).toEqual([undefined, undefined, 0])
  now = 59_999
  expect(omittedBefore('a')).toBeUndefined()
  now = 60_000
  expect([omittedBefore('a'), omittedBefore('a')]).toEqual([3, 0])
})

it('stores at most a thousand kinds', () => {
  const omittedBefore = limitRepeats(() => 0)
  for (let time = 0; time < 11; time++) omittedBefore('first')
  expect(omittedBefore('first')).toBeUndefined()
  for (let kind = 0; kind < 1_000; kind++) omittedBefore(String(kind))
  expect(omittedBefore('first')).toBe(0)
})

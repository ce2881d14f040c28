import { describe, expect, it } from 'vitest'
import { LoopBlocks } from '../../src/console/loop-blocks.ts'

function captureOf(stack: unknown, given: { rule?: 'blocked-loop' | 'memory'; milliseconds?: number } = {}) {
  const { rule = 'blocked-loop', milliseconds = 1_200 } = given
  const details = { blockedMilliseconds: milliseconds, isOver: true, stack }
  return { id: 'c1', rule, time: '2026-01-31T12:00:00.000Z', details }
}

function placeOf(stack: unknown) {
  const blocks = new LoopBlocks()
  blocks.add(captureOf(stack))
  return blocks.longestSince(0)?.place
}

describe('LoopBlocks', () => {
  it.each([
    [['at parseCsv (file:///app/orders.js:41:17)', 'at main (file:///app/main.js:1:1)'], 'parseCsv, orders.js:41'],
    [['at JSON.parse (<anonymous>)', 'at readAll (/app/src/read.js:7:3)'], 'JSON.parse, <anonymous>'],
    [['at pbkdf2Sync (node:internal/crypto/pbkdf2:62:12)', 'at hash (/app/hash.js:9:1)'], 'hash, hash.js:9'],
    [
      ['at each (/app/node_modules/csv/index.js:1:1)', 'at load (C:\\\\app\\\\load.js:3:9)'],
      'load, C:\\\\app\\\\load.js:3',
    ],
    [['at each (/app/node_modules/csv/index.js:5:1)'], 'each, index.js:5'],
    [['at file:///app/orders.js:12:3'], 'orders.js:12'],
    [['at <anonymous> (/app/orders.js:12:3)'], 'orders.js:12'],
    [['at Server.<anonymous> (file:///app/server.js:12:3)'], 'Server.<anonymous>, server.js:12'],
    [[], undefined],
    [[5, null], undefined],
    ['at x (/app/x.js:1:1)', undefined],
  ])('of the stack %j names %s', (stack, place) => {
    expect(placeOf(stack)).toBe(place)
  })

  it('returns the longest block since a time, which is that of its end', () => {
    const blocks = new LoopBlocks()
    for (const milliseconds of [700, 2_000, 900]) blocks.add(captureOf([], { milliseconds }))
    const start = Date.parse('2026-01-31T12:00:00.000Z')
    expect(blocks.longestSince(start + 2_000)).toMatchObject({ seconds: 2, at: start + 2_000 })
    expect(blocks.longestSince(start + 2_001)).toBeUndefined()
  })

  it('ignores captures of other rules, and keeps 20', () => {
    const blocks = new LoopBlocks()
    blocks.add(captureOf([], { rule: 'memory' }))
    expect(blocks.longestSince(0)).toBeUndefined()
    blocks.add(captureOf([], { milliseconds: 9_000 }))
    for (let at = 0; at < 20; at++) blocks.add(captureOf([]))
    expect(blocks.longestSince(0)?.seconds).toBe(1.2)
  })
})

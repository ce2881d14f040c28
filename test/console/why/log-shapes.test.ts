import { describe, expect, it } from 'vitest'
import { LogShapes, shapeOf } from '../../../src/console/why/log-shapes.ts'
import type { LogEvent } from '../../../src/logging/events/sinks.ts'

function errorOf(message: string, given: Partial<LogEvent> = {}): LogEvent {
  return {
    ...{ time: 0, level: 'ERROR', severity: 17, logger: 'orders', message, error: undefined, attributes: {} },
    trace: undefined,
    ...given,
  }
}

describe('the shape of a log message', () => {
  it.each([
    ['order 17 of customer "Ada" failed', 'order <…> of customer <…> failed'],
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED <…>'],
    ["no file '/tmp/a b'", 'no file <…>'],
    ['nothing varies', 'nothing varies'],
  ])('of %s is %s', (message, shape) => {
    expect(shapeOf(message)).toBe(shape)
  })

  it('has the errors of five minutes apart from those before', () => {
    const shapes = new LogShapes()
    for (const [minute, count] of [
      [10, 3],
      [60, 2],
    ] as const) {
      for (let at = 0; at < count; at++) shapes.add(errorOf(`order ${at} failed`), minute)
    }
    shapes.add(errorOf('not an error', { severity: 13 }), 60)
    expect(shapes.read(61)).toMatchObject([{ shape: 'order <…> failed', recent: 2, before: 3 }])
    expect(shapes.read(130)).toMatchObject([{ recent: 0, before: 0 }])
  })

  it('is one of at most 200, of which the least recent are dropped', () => {
    const shapes = new LogShapes()
    const word = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    for (let at = 0; at < 300; at++) shapes.add(errorOf(`error ${word(at)}`), 1)
    const read = shapes.read(1)
    expect(read).toHaveLength(200)
    expect(read.at(-1)?.shape).toBe(`error ${word(299)}`)
  })
})

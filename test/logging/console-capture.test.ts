import { addLogSink, captureConsole, type LogEvent } from 'upkeep/logging'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { inTrace } from '../support/in-trace.ts'

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

beforeEach(() => {
  const present = methods.map((method) => [method, console[method]] as const)
  for (const method of methods) console[method] = vi.fn()
  return () => {
    for (const [method, write] of present) console[method] = write
  }
})

function capture(): LogEvent[] {
  const events: LogEvent[] = []
  onTestFinished(addLogSink((event) => void events.push(event)))
  onTestFinished(captureConsole())
  return events
}

describe('a captured console', () => {
  it.each([
    ['log', 'INFO', 9],
    ['info', 'INFO', 9],
    ['warn', 'WARN', 13],
    ['error', 'ERROR', 17],
    ['debug', 'DEBUG', 5],
    ['trace', 'TRACE', 1],
  ] as const)('passes on %s with the level %s, and still writes', (method, level, severity) => {
    const original = console[method]
    const events = capture()
    console[method]('%s of %d', 'one', 2, { three: 3 })
    expect(events).toEqual([
      expect.objectContaining({ level, severity, logger: 'ROOT', message: 'one of 2 { three: 3 }', attributes: {} }),
    ])
    expect(original).toHaveBeenCalledExactlyOnceWith('%s of %d', 'one', 2, { three: 3 })
  })

  it('passes on an error among the arguments, and the trace context', () => {
    const events = capture()
    const { traceId } = inTrace((span) => {
      console.error('failed', new RangeError('refused'))
      return span.context
    })
    expect(events[0]).toMatchObject({ error: { type: 'RangeError', message: 'refused' }, trace: { traceId } })
  })

  it('passes on a record once, if it is captured twice or writes through another method', () => {
    console.trace = vi.fn(() => console.error('stack'))
    const events = capture()
    onTestFinished(captureConsole())
    console.trace('here')
    console.log('there')
    expect(events.map(({ message }) => message)).toEqual(['here', 'there'])
  })

  it('is not affected by a sink or an argument that throws', () => {
    onTestFinished(captureConsole())
    const { error, log } = console
    onTestFinished(
      addLogSink(() => {
        throw new Error('sink')
      }),
    )
    const hostile = {
      get [Symbol.toStringTag]() {
        throw new Error('no tag')
      },
    }
    expect(() => console.log('written', hostile)).not.toThrow()
    expect(() => console.log('written')).not.toThrow()
    expect([error, log]).toEqual([console.error, console.log])
  })
})

it('restores the methods, unless another patch was applied later', () => {
  const before = methods.map((method) => console[method])
  const restore = captureConsole()
  const again = captureConsole()
  restore()
  restore()
  expect(console.log).not.toBe(before[0])
  again()
  expect(methods.map((method) => console[method])).toEqual(before)

  const third = captureConsole()
  const patch = vi.fn(console.log)
  console.log = patch
  third()
  expect(console.log).toBe(patch)
  const events: LogEvent[] = []
  onTestFinished(addLogSink((event) => void events.push(event)))
  console.log('hm')
  expect([before[0], events]).toEqual([expect.toSatisfy((write) => write.mock.calls.length === 1), []])
})

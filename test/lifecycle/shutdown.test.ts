import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { type ShutdownOptions, shutdownGracefully } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A shutdown whose exit is only noted, of a server that does not listen. */
function prepare(options: ShutdownOptions = {}) {
  const management = createManagement({ metrics: { runtime: false } })
  const log: string[] = []
  const reported: unknown[][] = []
  const shutdown = shutdownGracefully(createServer(), management, {
    report: (...args) => {
      reported.push(args)
      // The server is real, and takes time of its own.
      log.push(args[0].replace(/(requests done) after \d+ms/, '$1'))
    },
    exit: (code) => void log.push(`exit ${code}`),
    ...options,
  })
  prepared.push(shutdown)
  return { ...shutdown, management, log, reported }
}

const prepared: { remove(): void }[] = []
const never = () => new Promise<never>(() => undefined)
const listeners = () => [process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const each of prepared.splice(0)) each.remove()
  vi.useRealTimers()
  process.exitCode = undefined
})

describe('a shutdown', () => {
  it('performs the steps from readiness to exit on a signal', async () => {
    const { log, management } = prepare({
      delay: '5s',
      hooks: [
        { name: 'orders', run: () => void log.push('orders stop') },
        async function closePool() {
          await new Promise((resolve) => setTimeout(resolve, 40))
          log.push('pool closed')
        },
      ],
      flush: [{ name: 'telemetry', run: () => void log.push('telemetry sent') }],
    })
    process.emit('SIGTERM')
    expect(management.availability.readiness).toBe('REFUSING_TRAFFIC')
    expect(management.availability.liveness).toBe('CORRECT')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(log).toEqual(['shutting down (SIGTERM): serves for 5000ms, exits within 27000ms'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log.slice(1)).toEqual([
      'shutdown: delay done after 5000ms',
      'shutdown: requests done',
      'orders stop',
      'shutdown: orders done after 0ms',
      'pool closed',
      'shutdown: closePool done after 40ms',
      'telemetry sent',
      'shutdown: telemetry done after 0ms',
      'exit 0',
    ])
    expect(management.availability.liveness).toBe('CORRECT')
  })

  it('cannot be reverted by acceptTraffic()', () => {
    const { management, shutdown } = prepare()
    void shutdown()
    management.availability.acceptTraffic()
    expect(management.availability.readiness).toBe('REFUSING_TRAFFIC')
  })

  it('can be started by a call, once, and resolves with the outcome of each step', async () => {
    const error = new Error('no pool')
    const fail = () => {
      throw error
    }
    const { shutdown, finished, log } = prepare({ delay: '0ms', hooks: [fail] })
    const answers = [shutdown('deployment'), shutdown(), finished]
    await vi.runAllTimersAsync()
    const [steps, ...others] = await Promise.all(answers)
    expect(steps).toEqual([
      { name: 'requests', outcome: 'done', milliseconds: expect.any(Number) },
      { name: 'fail', outcome: 'failed', error, milliseconds: 0 },
    ])
    expect(others).toEqual([steps, steps])
    expect(log[0]).toContain('shutting down (deployment)')
    expect(log.filter((line) => line.startsWith('exit'))).toEqual(['exit 0'])
  })

  it('resolves before the exit', async () => {
    const { shutdown, log } = prepare({ delay: '0ms' })
    void shutdown().then(() => log.push('over'))
    await vi.runAllTimersAsync()
    expect(log.slice(-2)).toEqual(['over', 'exit 0'])
  })

  it('aborts a signal after the delay, so that endless responses can end', async () => {
    const { shutdown, draining } = prepare({ delay: '3s' })
    void shutdown()
    await vi.advanceTimersByTimeAsync(2_999)
    expect(draining.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(draining.aborted).toBe(true)
  })

  it('exits with process.exitCode', async () => {
    const { shutdown, log } = prepare({ delay: '0ms' })
    process.exitCode = 3
    void shutdown()
    await vi.runAllTimersAsync()
    expect(log.at(-1)).toBe('exit 3')
  })

  it.each([
    [{ delay: '5' }, 'delay'],
    [{ timeout: 'long' }, 'timeout'],
    [{ hooks: [{ name: 'pool', run: never, timeout: 'x' }] }, 'hooks\\[0\\].timeout'],
    [{ flush: [{ name: '', run: never, timeout: 'x' }] }, 'flush\\[0\\].timeout'],
  ])('rejects the malformed duration of %j', (options, name) => {
    expect(() => prepare(options as ShutdownOptions)).toThrow(
      new RegExp(`^shutdownGracefully: ${name}: expected a duration`),
    )
  })

  it('adds no listeners if its options are invalid', () => {
    const server = createServer()
    const before = [...listeners(), server.eventNames().length]
    expect(() => shutdownGracefully(server, createManagement(), { delay: '5' as '5s' })).toThrow(RangeError)
    expect([...listeners(), server.eventNames().length]).toEqual(before)
  })
})

describe('a hook', () => {
  it('that hangs is aborted by its signal at its timeout, and the shutdown continues', async () => {
    let received: unknown
    const hang = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        received = signal.reason
      })
      return never()
    }
    const { log, reported } = prepare({
      delay: '0ms',
      hooks: [
        { name: 'hang', run: hang, timeout: '3s' },
        { name: 'late', run: () => void log.push('late runs') },
      ],
      flush: [{ name: 'telemetry', run: never }],
    })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect(log.slice(3)).toEqual([
      'shutdown: hang not done after 3000ms, continuing',
      'late runs',
      'shutdown: late done after 0ms',
      'shutdown: telemetry not done after 2000ms, continuing',
      'exit 0',
    ])
    expect(received).toMatchObject({ name: 'TimeoutError', message: 'timed out after 3000 ms' })
    expect(reported.every(({ length }) => length === 1)).toBe(true)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no pool')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no pool'))],
  ])('that %s is reported with its error, and the shutdown continues', async (_how, run) => {
    const { log, reported } = prepare({ delay: '0ms', hooks: [{ name: 'pool', run }, never] })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect(reported).toContainEqual(['shutdown: pool failed after 0ms', new Error('no pool')])
    expect(log.slice(-2)).toEqual(['shutdown: never not done after 5000ms, continuing', 'exit 0'])
  })

  it('that rejects after its timeout causes no unhandled rejection', async () => {
    const run = () => new Promise((_resolve, reject) => setTimeout(reject, 500, new Error('late')))
    const { log } = prepare({
      delay: '0ms',
      hooks: [
        { name: 'late', run, timeout: '100ms' },
        { name: 'next', run: never },
      ],
    })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect(log.at(-1)).toBe('exit 0')
  })

  it('without a name is named by its position', async () => {
    const { log } = prepare({ delay: '0ms', hooks: [() => 1, () => 2] })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect(log.slice(-3)).toEqual(['shutdown: hook 1 done after 0ms', 'shutdown: hook 2 done after 0ms', 'exit 0'])
  })
})

describe('a signal', () => {
  it('that arrives second forces the exit, with 128 + its number', async () => {
    const { log } = prepare({ hooks: [never] })
    process.emit('SIGTERM')
    await vi.advanceTimersByTimeAsync(101)
    process.emit('SIGTERM')
    expect(log.slice(1)).toEqual(['shutdown: forced by SIGTERM', 'exit 143'])
  })

  it('of another kind forces the exit immediately', () => {
    const { log } = prepare()
    process.emit('SIGTERM')
    process.emit('SIGINT')
    expect(log.slice(1)).toEqual(['shutdown: forced by SIGINT', 'exit 130'])
  })

  it('that is repeated within 100 ms, as npm does on Ctrl-C, counts once', async () => {
    const { log } = prepare()
    process.emit('SIGTERM')
    await vi.advanceTimersByTimeAsync(100)
    process.emit('SIGTERM')
    expect(log).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(101)
    process.emit('SIGTERM')
    expect(log.at(-1)).toBe('exit 143')
  })

  it('that arrives first during a shutdown started by a call joins it', async () => {
    const { log, shutdown } = prepare()
    void shutdown()
    process.emit('SIGTERM')
    expect(log).toHaveLength(1)
  })

  it('is registered once, from a copy of the list in the options', () => {
    const before = listeners()
    const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGTERM']
    Object.freeze(signals)
    const { remove } = prepare({ signals })
    expect(listeners()).toEqual([(before[0] ?? 0) + 1, before[1]])
    remove()
    expect(listeners()).toEqual(before)
  })

  it('has its default effect again after remove() and after the shutdown', async () => {
    const before = listeners()
    prepare().remove()
    expect(listeners()).toEqual(before)
    const { shutdown } = prepare({ delay: '0ms' })
    void shutdown()
    await vi.runAllTimersAsync()
    expect(listeners()).toEqual(before)
  })
})

describe('the report of a shutdown', () => {
  it('defaults to that of the management', async () => {
    const managements: string[] = []
    const management = createManagement({
      metrics: { runtime: false },
      report: (message) => void managements.push(message),
    })
    const own: string[] = []
    const exit = () => undefined
    const [inherited, other] = [
      shutdownGracefully(createServer(), management, { delay: '0ms', exit }),
      shutdownGracefully(createServer(), management, {
        delay: '0ms',
        exit,
        report: (message) => void own.push(message),
      }),
    ]
    prepared.push(inherited, other)
    void inherited.shutdown('first')
    void other.shutdown('second')
    await vi.runAllTimersAsync()
    expect(managements[0]).toBe('shutting down (first): serves for 0ms, exits within 10000ms')
    expect(managements).toHaveLength(3)
    expect(own[0]).toBe('shutting down (second): serves for 0ms, exits within 10000ms')
    expect(own).toHaveLength(3)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no log')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('does not delay the shutdown if it %s', async (_how, report) => {
    const ran: string[] = []
    const { shutdown, log } = prepare({
      delay: '0ms',
      hooks: [{ name: 'pool', run: () => void ran.push('pool') }],
      flush: [{ name: 'telemetry', run: () => void ran.push('telemetry') }],
      report,
    })
    const finished = shutdown()
    await vi.runAllTimersAsync()
    expect((await finished).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['requests', 'done'],
      ['pool', 'done'],
      ['telemetry', 'done'],
    ])
    expect(ran).toEqual(['pool', 'telemetry'])
    expect(log).toEqual(['exit 0'])
  })

  it('does not prevent a second signal from ending the process if it throws', () => {
    const { log } = prepare({
      report: () => {
        throw new Error('no log')
      },
    })
    process.emit('SIGTERM')
    process.emit('SIGINT')
    expect(log).toEqual(['exit 130'])
  })
})

describe('a listener for availability', () => {
  it('that rejects on a signal is reported, and does not delay the shutdown', async () => {
    const reported: unknown[][] = []
    const management = createManagement({
      metrics: { runtime: false },
      report: (...failure) => void reported.push(failure),
    })
    const error = new Error('no service registry')
    management.availability.onChange(async () => {
      throw error
    })
    const exit = vi.fn()
    const { finished, remove } = shutdownGracefully(createServer(), management, { delay: '0ms', exit })
    prepared.push({ remove })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect((await finished).map(({ outcome }) => outcome)).toEqual(['done'])
    expect(exit.mock.calls).toEqual([[0]])
    expect(reported).toContainEqual(['availability: a listener failed for readiness', error])
  })

  it.each([
    ['null', null],
    ['a promise that never settles', never()],
    [
      'a thenable that throws',
      {
        // biome-ignore lint/suspicious/noThenProperty: this is what it is about
        then: () => {
          throw new Error('not thenable')
        },
      },
    ],
  ])('may return %s', async (_what, returned) => {
    const { management, log, shutdown } = prepare({ delay: '0ms' })
    management.availability.onChange(() => returned)
    void shutdown()
    await vi.runAllTimersAsync()
    expect(log.at(-1)).toBe('exit 0')
  })
})

describe('the options', () => {
  it('may be frozen, and are copied', async () => {
    const hooks = [{ name: 'pool', run: () => undefined }]
    const { log } = prepare(
      Object.freeze({ delay: '0ms', hooks, signals: Object.freeze(['SIGTERM']) } as ShutdownOptions),
    )
    hooks.push({ name: 'later', run: () => undefined })
    process.emit('SIGTERM')
    await vi.runAllTimersAsync()
    expect(log.slice(3)).toEqual(['shutdown: pool done after 0ms', 'exit 0'])
  })
})

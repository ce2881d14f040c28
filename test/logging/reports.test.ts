import { pino } from 'pino'
import { createManagement, type ManagementOptions } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { pinoLoggers } from 'upkeep/pino'
import { winstonLoggers } from 'upkeep/winston'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import winston from 'winston'

/** Lets a component go down, and a meter fail with an error. */
async function reportThrough(options: ManagementOptions): Promise<void> {
  const management = createManagement({
    metrics: { runtime: false },
    health: { indicators: { db: () => 'DOWN' } },
    ...options,
  })
  onTestFinished(() => management.close())
  management.meters.gauge('pool', () => {
    throw new Error('no connection')
  })
  await management.health.check()
  for (const _ of management.meters.snapshot());
}

interface Line {
  readonly level: unknown
  readonly message?: unknown
  readonly msg?: unknown
  readonly error?: { readonly message: unknown }
  readonly err?: { readonly message: unknown }
}

const expected = [
  ['warn', 'health: db is DOWN', undefined],
  ['error', expect.stringContaining("The meter 'pool' could not be read"), 'no connection'],
]

function shown(lines: readonly string[]): readonly (readonly unknown[])[] {
  return lines
    .map((line): Line => JSON.parse(line))
    .map(({ level, message, msg, error, err }) => [
      level === 40 ? 'warn' : level === 50 ? 'error' : String(level).toLowerCase(),
      message ?? msg,
      (error ?? err)?.message,
    ])
}

describe('without the option report, what upkeep reports is written by', () => {
  it('the logger of createLogger, as upkeep', async () => {
    const lines: string[] = []
    const logger = createLogger({ application: { name: 'orders' }, write: (line) => void lines.push(line) })
    await reportThrough({ loggers: logger.loggers })
    expect(shown(lines)).toEqual(expected)
    expect(lines.map((line) => JSON.parse(line).logger)).toEqual(['upkeep', 'upkeep'])
  })

  it('the logger of pino', async () => {
    const lines: string[] = []
    await reportThrough({ loggers: pinoLoggers(pino({}, { write: (line) => void lines.push(line) })) })
    expect(shown(lines)).toEqual(expected)
  })

  it('the logger of winston, with levels of npm or syslog', async () => {
    for (const levels of [winston.config.npm.levels, winston.config.syslog.levels]) {
      const lines: string[] = []
      const transport = new winston.transports.Console({
        log: (info, next) => {
          lines.push(JSON.stringify(info))
          next()
        },
      })
      const logger = winston.createLogger({ levels, transports: [transport] })
      await reportThrough({ loggers: winstonLoggers(logger) })
      expect(shown(lines).map(([level, ...rest]) => [String(level).replace('warning', 'warn'), ...rest])).toEqual(
        expected,
      )
    }
  })

  it('the console, without loggers', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    await reportThrough({})
    expect(error.mock.calls[0]).toEqual(['upkeep: health: db is DOWN'])
  })
})

it('the option report takes precedence over loggers', async () => {
  const write = vi.fn()
  const report = vi.fn()
  await reportThrough({ loggers: createLogger({ application: { name: 'orders' }, write }).loggers, report })
  expect(report).toHaveBeenCalledTimes(2)
  expect(write).not.toHaveBeenCalled()
})

import { pino } from 'pino'
import { formatPlainText } from 'upkeep/logging'
import { pinoOptions, plainText } from 'upkeep/pino'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../support/fixed-clock.ts'
import { collectLines } from '../support/lines.ts'

const record = {
  timestamp: '2026-11-21T15:29:22.123Z',
  level: 'INFO',
  logger: 'orders.db',
  message: 'connected',
  'service.name': 'orders',
  thread: 'main',
}
const head = '2026-11-21T15:29:22.123Z  INFO [orders] [main] orders.db : '

describe('a record as plain text', () => {
  it('has the name of the application and the ids in brackets', () => {
    const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331', trace_flags: '01' }
    expect(formatPlainText({ ...record, ...ids })).toBe(
      '2026-11-21T15:29:22.123Z  INFO [orders,traceId=0af7651916cd43dd8448eb211c80319c,' +
        'spanId=b7ad6b7169203331] [main] orders.db : connected',
    )
  })

  it('omits absent ids', () => {
    expect(formatPlainText(record)).toBe(`${head}connected`)
  })

  it('escapes line breaks and control sequences', () => {
    expect(formatPlainText({ ...record, message: 'a\nb\r\u001b[31m\tc\u2028' })).toBe(
      `${head}a\\nb\\u000d\\u001b[31m\\tc\\u2028`,
    )
  })

  it('has the stacks of an error and its cause below it', () => {
    const err = { type: 'Error', stack: 'Error: no\n    at a', cause: { stack: 'Error: why\n    at b' } }
    expect(formatPlainText({ ...record, err, orderId: 7 })).toBe(
      `${head}connected {"orderId":7}\n    Error: no\n        at a\n    caused by Error: why\n        at b`,
    )
  })

  it('is written by pino to such a destination', () => {
    const lines = collectLines()
    const options = pinoOptions({ application: { name: 'orders' }, clock: fixedClock(0) })
    const logger = pino(options, plainText(lines))
    logger.info({ orderId: 7 }, 'placed')
    plainText(lines).write('no record\n')
    expect(lines.text()).toBe('1970-01-01T00:00:00.000Z  INFO [orders] [main] ROOT : placed {"orderId":7}\nno record\n')
  })
})

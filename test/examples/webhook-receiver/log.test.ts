import { HttpError } from 'upkeep'
import type { Logger } from 'upkeep/logging'
import { beforeEach, describe, expect, it } from 'vitest'
import { createReceiverLog, reportTo } from '../../../examples/webhook-receiver/log.ts'

const lines: string[] = []
let log: Logger
beforeEach(() => {
  lines.length = 0
  log = createReceiverLog({ logFormat: 'json', logLevel: 'INFO' }, (line) => void lines.push(line))
})
const records = () => lines.map((line) => JSON.parse(line))

describe('reportTo', () => {
  it('writes no hook key', () => {
    const later = new HttpError(503, 'Later.', { cause: new Error('gone') })
    reportTo(log)('POST /hooks/abcdefghijkmnopqrstuvwxyz2 failed', later)
    expect(records()).toMatchObject([
      { level: 'ERROR', message: 'POST /hooks/REDACTED failed', 'service.name': 'webhook-receiver' },
    ])
    expect(lines[0]).toContain('gone')
    expect(lines[0]).not.toContain('abcdefghijkmnopqrstuvwxyz2')
  })

  it('writes where an unexpected error was thrown', () => {
    reportTo(log)('POST /a failed', new Error('a bug'))
    expect(lines[0]).toMatch(/a bug.*at .+log\.test\.ts/)
  })

  it('writes the same message ten times a minute', () => {
    const report = reportTo(log)
    for (let at = 0; at < 500; at++) report('POST /a failed', new Error('gone'))
    report('another')
    expect(records()).toHaveLength(11)
  })

  it('uses the logger webhook-receiver', () => {
    reportTo(log)('capped')
    expect(records()).toMatchObject([{ logger: 'webhook-receiver' }])
  })

  it('does not require an error', () => {
    reportTo(log)('capped')
    expect(records()).toMatchObject([{ level: 'WARN', message: 'capped' }])
  })
})

it('writes a line for people as text', () => {
  createReceiverLog({ logFormat: 'text', logLevel: 'WARN' }, (line) => void lines.push(line)).info('no')
  createReceiverLog({ logFormat: 'text', logLevel: 'INFO' }, (line) => void lines.push(line)).info('yes')
  expect(lines).toEqual([expect.stringMatching(/^\S+ +INFO \[webhook-receiver\] .* : yes\n$/)])
})

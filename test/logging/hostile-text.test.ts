import { spawnSync } from 'node:child_process'
import { createLogger } from 'upkeep/logging'
import { describe, expect, it } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { isSuperlinear } from '../support/growth/superlinear.ts'

function linesOf(format: 'json' | 'text', log: (logger: ReturnType<typeof createLogger>) => void): string {
  let lines = ''
  const write = (line: string) => {
    lines += line
  }
  log(createLogger({ application: { name: 'orders' }, format, write }))
  return lines
}

describe('a JSON line', () => {
  it.each([
    ['half a surrogate pair', '\ud800', '\ufffd'],
    ['the other half', '\udfff', '\ufffd'],
    ['halves in the wrong order', '\udc00\ud800', '\ufffd\ufffd'],
    ['a half after backslashes', '\\\\\ud800', '\\\\\ufffd'],
    ['what looks like an escape', '\\ud800', '\\ud800'],
    ['a whole pair', '\u{1f600}', '\u{1f600}'],
  ])('escapes %s as %j', (_, text, shown) => {
    const line = linesOf('json', (logger) => logger.info(`<${text}>`, { [`key ${text}`]: [text] }))
    expect(JSON.parse(line)).toMatchObject({ message: `<${shown}>`, [`key ${shown}`]: [shown] })
    expect(line).not.toMatch(/(?<!\\)\\ud/)
  })

  describeProgram({ program: 'jq', debian: 'jq' }, () => {
    it('with a lone surrogate is parsed by jq, like those after it', () => {
      const lines = linesOf('json', (logger) => {
        logger.info('before \ud800 after', { '\udc00': '\ud800' })
        logger.info('next')
      })
      const { stdout } = spawnSync('jq', ['-c', '.message'], { input: lines, encoding: 'utf8' })
      expect(stdout).toBe('"before \ufffd after"\n"next"\n')
    })
  })

  it.each(['\u0007', '\u007f', '\u0085', '\u009b31m', '\u2028', '\u2029', '\u202e', '\u2066', '\u200f', '\u061c'])(
    'holds %j as an escape only, and means the same',
    (text) => {
      const line = linesOf('json', (logger) => logger.info(text, { [text]: text }))
      expect(line).toMatch(/^[\x20-\x7e]*\n$/)
      expect(JSON.parse(line)).toMatchObject({ message: text, [text]: text })
    },
  )
})

describe('a plain-text line', () => {
  it.each([
    ['\u202a', '\\u202a'],
    ['\u202e', '\\u202e'],
    ['\u2066', '\\u2066'],
    ['\u2069', '\\u2069'],
    ['\u200f', '\\u200f'],
    ['\u0085', '\\u0085'],
    ['\u009b', '\\u009b'],
    ['\u2028', '\\u2028'],
  ])('escapes %j', (character, shown) => {
    const error = new Error(`in ${character}`)
    const line = linesOf('text', (logger) => logger.info(`<${character}>`, { field: character, error }))
    expect(line).toContain(`<${shown}>`)
    expect(line).toContain(`"field":"${shown}"`)
    expect(line).toContain(`Error: in ${shown}`)
    expect(line).not.toContain(character)
  })
})

describe('an error whose message contains the text of a client', () => {
  const log = (message: string) => linesOf('json', (logger) => logger.error('failed', new Error(message)))

  it.each([
    ['\n    at a', '\nJUNK'],
    ['\n    at a\nJUNK', ''],
    ['\n', ''],
    ['\n    at', ''],
    [' ', '!'],
  ])('is written in time linear in the message: %j, often, before %j', (repeated, after) => {
    expect(isSuperlinear(log, { before: '', repeated, after })).toBe(false)
  })

  it('has the frames of its stack, and none from its message', () => {
    const { error } = JSON.parse(log('no\n    at secretly (made.up:1:1)'))
    expect(error.stack).toMatch(/^Error: no\n {4}at secretly \(made\.up:1:1\)\n {4}at /)
    expect(error.stack.split('made.up')).toHaveLength(2)
  })

  it('has its frames when the message has been changed since', () => {
    const error = new Error('first')
    error.message = 'second'
    const line = linesOf('json', (logger) => logger.error('failed', error))
    expect(JSON.parse(line).error.stack).toMatch(/^Error: second\n {4}at .*hostile-text/)
  })

  it.each([[''], ['two\nlines'], ['colon: inside']])('has its frames with the message %j', (message) => {
    expect(JSON.parse(log(message)).error.stack).toMatch(/\n {4}at .*hostile-text/)
  })
})

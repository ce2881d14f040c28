import { describe, expect, it } from 'vitest'
import { findSuperlinear } from '../support/growth/superlinear.ts'
import { applied } from './regular-expressions/applied.ts'
import { others } from './regular-expressions/others.ts'
import { peers } from './regular-expressions/peers.ts'
import { findExpressions } from './regular-expressions/sources.ts'

const found = findExpressions()
const proven = new Set(peers.map(([expression]) => String(expression)))
const unproven = found.filter(({ text }) => !proven.has(text))
const reasons = Object.values(others).flatMap((files) =>
  Object.entries(files).flatMap(([file, expressions]) => expressions.map((expression) => `${file} ${expression}`)),
)

/** Of how many beginnings of each sample worst cases are made. */
const maxPlaces = 16

/** Does what `String.prototype.replace` and a loop over a sticky expression do: matches wherever there is a match. */
function matchAll(expression: RegExp): (text: string) => void {
  return (text) => {
    if (expression.global) text.replace(expression, '')
    else {
      expression.lastIndex = 0
      expression.test(text)
    }
  }
}

describe('the regular expressions of the sources', () => {
  it('are each in one of the lists: add a new one to peers.ts, or to others.ts with the reason', () => {
    const unlisted = unproven.filter(
      ({ file, text }) => !reasons.includes(`${file} ${text}`) && !applied.some((one) => one.file === file),
    )
    expect(unlisted.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
  })

  it('are all that the lists hold', () => {
    const gone = [...proven].filter((text) => !found.some((one) => one.text === text))
    const moved = reasons.filter((reason) => !found.some(({ file, text }) => reason === `${file} ${text}`))
    expect([...gone, ...moved]).toEqual([])
  })

  it.each(applied)('are $count more in $file, and no others', ({ file, count }) => {
    expect(unproven.filter((one) => one.file === file)).toHaveLength(count)
  })
})

describe('a regular expression that sees the text of a peer', () => {
  it.each(peers.map(([expression, ...samples]) => ({ expression, samples })))(
    'takes time linear in the text: $expression',
    ({ expression, samples }) => {
      expect(samples.every((sample) => new RegExp(expression.source, expression.flags).test(sample))).toBe(true)
      expect(findSuperlinear(matchAll(expression), samples, maxPlaces)).toBeUndefined()
    },
  )

  it.each(applied)('run in linear time: $file', ({ work, samples }) => {
    expect(findSuperlinear(work, samples, maxPlaces)).toBeUndefined()
  })
})

describe('the search for worst cases', () => {
  it.each<readonly [RegExp, string]>([
    [/^[ \t]*(?:a=b)?[ \t]*$/, ' a=b '],
    [/\/+$/, 'a//'],
    [/^(a+)+$/, 'aaa'],
    [/^(?:HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n)*HTTP\/1\.[01] ([2-9]\d\d)[ \r]/, 'HTTP/1.1 103 A\r\n\r\n'],
    [/(?:\n {4}at [^\n]*)+\s*$/, 'x\n    at a\n    at b'],
    [/^(\w+):[\t ]*(.*?)[\t ]*$/, 'a: b '],
  ])('finds one of %s', (expression, sample) => {
    expect(findSuperlinear(matchAll(expression), [sample])).toBeDefined()
  })
})

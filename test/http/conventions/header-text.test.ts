import { describe, expect, it } from 'vitest'
import { headerText } from '../../../src/http/conventions/header-text.ts'

describe('headerText', () => {
  it.each([
    [undefined, undefined],
    ['', ''],
    ['a', 'a'],
    [['a'], 'a'],
    [['a', 'b, c'], 'a, b, c'],
    [[], ''],
  ])('of %j is %j', (value, text) => {
    expect(headerText({ accept: value }, 'accept')).toBe(text)
  })
})

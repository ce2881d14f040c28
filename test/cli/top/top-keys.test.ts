import { describe, expect, it } from 'vitest'
import { pressKeys } from '../../../src/cli/top/top-keys.ts'
import { view } from './samples.ts'

describe('the keys of upkeep top', () => {
  it.each([['q'], ['\u0003'], ['/or\u0003'], ['sq']])('%j quits', (keys) => {
    expect(pressKeys(view, keys, [])).toBeUndefined()
  })

  it.each([
    ['s', { sort: 'errors' }],
    ['ss', { sort: 'p50' }],
    ['ssssss', { sort: 'rate' }],
    ['p', { isPaused: true }],
    ['p ', { isPaused: false }],
    ['r', { withRoutes: false }],
    ['rs', { withRoutes: true, sort: 'errors' }],
    ['m', { member: '0' }],
    ['mm', { member: '1' }],
    ['mmm', { member: undefined }],
    ['x', {}],
    ['\u001b[A', {}],
    ['\u001bOq', {}],
    ['/', { isTyping: true }],
    ['/q p', { isTyping: true, filter: 'q p' }],
    ['/or\r', { filter: 'or' }],
    ['/or\u007f\b\u007f', { isTyping: true, filter: '' }],
    ['/🚀\u007fa', { isTyping: true, filter: 'a' }],
    ['/a\u0001\u001b', { filter: '' }],
    [`/${'a'.repeat(100)}\r`, { filter: 'a'.repeat(60) }],
  ])('%j changes what is shown: %j', (keys, change) => {
    expect(pressKeys(view, keys, ['0', '1'])).toEqual({ ...view, ...change })
  })

  it('selects the first member when the selected one has left', () => {
    expect(pressKeys({ ...view, member: '7' }, 'm', ['0', '1'])).toMatchObject({ member: '0' })
    expect(pressKeys({ ...view, member: '7' }, 'm', [])).toMatchObject({ member: undefined })
  })
})

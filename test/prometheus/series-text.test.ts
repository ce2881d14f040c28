import { describe, expect, it } from 'vitest'
import { createSeriesText, sliceTextsOf } from '../../src/prometheus/exposition/series-text.ts'
import { counter, meterId, type TagsInput } from './snapshots.ts'

function textOf(tags: TagsInput, sampleName = '') {
  return createSeriesText(meterId('x', { tags }).tags, 'counter', sampleName)
}

const unique = (text: string) => ({ text, isAmbiguous: false })
const ambiguous = (text: string) => ({ text, isAmbiguous: true })

describe('createSeriesText', () => {
  it('returns one space for a series without tags', () => {
    expect(textOf({})).toEqual(unique(' '))
  })

  it('starts with the name of the sample', () => {
    expect(textOf({ a: '1' }, 'x_total')).toEqual(unique('x_total{a="1"} '))
    expect(textOf({}, 'x_total')).toEqual(unique('x_total '))
    expect(textOf({ a: '' }, 'x_total')).toEqual(ambiguous('x_total '))
  })

  it('sorts by label name', () => {
    expect(textOf({ b: '2', a: '1' })).toEqual(unique('{a="1",b="2"} '))
    expect(textOf({ 'a.b': '1', aA: '2' })).toEqual(ambiguous('{aA="2",a_b="1"} '))
  })

  it.each([
    ['a"b', 'a\\"b'],
    ['a\\b', 'a\\\\b'],
    ['a\nb', 'a\\nb'],
    ['\\n', '\\\\n'],
    ['a\r\t\u0000b', 'a\r\t\u0000b'],
    ['{a="b",}', '{a=\\"b\\",}'],
    ['é😀', 'é😀'],
  ])('escapes %j', (value, expected) => {
    expect(textOf({ a: value })).toEqual(unique(`{a="${expected}"} `))
  })

  it('distinguishes tag sets whose values contain separators', () => {
    expect(textOf({ a: '1,b:2' })).toEqual(unique('{a="1,b:2"} '))
    expect(textOf({ a: '1', b: '2' })).toEqual(unique('{a="1",b="2"} '))
    expect(textOf({ a: 'x|', b: 'y' })).not.toEqual(textOf({ a: 'x', b: '|y' }))
  })

  it.each<[string, TagsInput, string]>([
    ['omits an empty value', { a: '', b: '1' }, '{b="1"} '],
    ['omits the braces with the last value', { a: '' }, ' '],
    ['replaces a lone surrogate', { a: 'x\ud800y' }, '{a="x\ufffdy"} '],
    ['changes a key', { 'a.b': '1' }, '{a_b="1"} '],
    ['joins the values of keys with the same label name', { a_b: '2', 'a-b': '1', 'a.b': '3' }, '{a_b="1;3;2"} '],
    ['joins no empty value', { 'a-b': '', 'a.b': '3' }, '{a_b="3"} '],
  ])('%s, and marks the series as ambiguous', (_, tags, text) => {
    expect(textOf(tags)).toEqual(ambiguous(text))
  })

  it('renames tags of a distribution whose key is a reserved label', () => {
    const { tags } = meterId('x', { tags: { le: '1', quantile: '2' } })
    expect(createSeriesText(tags, 'timer', '')).toEqual(ambiguous('{exported_le="1",exported_quantile="2"} '))
    expect(createSeriesText(tags, 'counter', '')).toEqual(unique('{le="1",quantile="2"} '))
  })
})

describe('sliceTextsOf', () => {
  const slice = [counter('x', 1, { tags: { a: '1' } }), counter('x', 2, { tags: { a: '2' } })]

  it('returns the same result for later snapshots of the same series', () => {
    const texts = sliceTextsOf(slice, 'x_total')
    expect(texts).toMatchObject({ texts: ['x_total{a="1"} ', 'x_total{a="2"} '], isAmbiguous: false })
    const later = slice.map((snapshot) => ({ ...snapshot, value: 3 }))
    expect(sliceTextsOf(later, 'x_total')).toBe(texts)
  })

  it('returns the current series after one was added or removed', () => {
    const [first] = slice
    if (first === undefined) throw new Error('the slice is empty')
    expect(sliceTextsOf([first], 'x_total').texts).toEqual(['x_total{a="1"} '])
    const added = counter('x', 3, { tags: { a: '' } })
    expect(sliceTextsOf([first, added], 'x_total')).toMatchObject({
      texts: ['x_total{a="1"} ', 'x_total '],
      isAmbiguous: true,
    })
  })
})

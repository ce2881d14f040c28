import { describe, expect, it } from 'vitest'
import { seriesTextOf } from '../../src/prometheus/exposition/series-text.ts'
import { counter, type TagsInput, timer } from './snapshots.ts'

function labels(tags: TagsInput): unknown {
  return seriesTextOf(counter('x', 1, { tags }), '')
}

describe('seriesTextOf', () => {
  it('is one space for a series without tags', () => {
    expect(labels({})).toBe(' ')
  })

  it('begins with the name of the sample', () => {
    expect(seriesTextOf(counter('x', 1, { tags: { a: '1' } }), 'x_total')).toBe('x_total{a="1"} ')
    expect(seriesTextOf(counter('x', 1), 'x_total')).toBe('x_total ')
    expect(seriesTextOf(counter('x', 1, { tags: { a: '' } }), 'x_total')).toEqual({ text: 'x_total ' })
  })

  it('sorts by the name that is written', () => {
    expect(labels({ b: '2', a: '1' })).toBe('{a="1",b="2"} ')
    expect(labels({ 'a.b': '1', aA: '2' })).toEqual({ text: '{aA="2",a_b="1"} ' })
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
    expect(labels({ a: value })).toBe(`{a="${expected}"} `)
  })

  it('tells apart no two tag sets less for their separators', () => {
    expect(labels({ a: '1,b:2' })).toBe('{a="1,b:2"} ')
    expect(labels({ a: '1', b: '2' })).toBe('{a="1",b="2"} ')
    expect(labels({ a: 'x|', b: 'y' })).not.toBe(labels({ a: 'x', b: '|y' }))
  })

  it.each<[string, TagsInput, string]>([
    ['leaves out an empty value', { a: '', b: '1' }, '{b="1"} '],
    ['leaves out the braces with the last value', { a: '' }, ' '],
    ['replaces a lone surrogate', { a: 'x\ud800y' }, '{a="x\ufffdy"} '],
    ['changes a key', { 'a.b': '1' }, '{a_b="1"} '],
    ['joins the values of keys that meet, by their order', { a_b: '2', 'a-b': '1', 'a.b': '3' }, '{a_b="1;3;2"} '],
    ['joins no empty value', { 'a-b': '', 'a.b': '3' }, '{a_b="3"} '],
  ])('%s, and says that another id may have this text', (_, tags, text) => {
    expect(labels(tags)).toEqual({ text })
  })

  it('keeps its own labels of a distribution apart from tags of that key', () => {
    expect(seriesTextOf(timer('x', { tags: { le: '1', quantile: '2' } }), '')).toEqual({
      text: '{exported_le="1",exported_quantile="2"} ',
    })
    expect(labels({ le: '1' })).toBe('{le="1"} ')
  })

  it('is made once and kept by the id', () => {
    const snapshot = counter('x', 1, { tags: { a: '1' } })
    const made = seriesTextOf(snapshot, 'x_total')
    expect(snapshot.id.rendered).toBe(made)
    expect(seriesTextOf({ ...snapshot, value: 2 }, 'x_total')).toBe(made)
  })
})

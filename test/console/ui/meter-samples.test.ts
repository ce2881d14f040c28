import { describe, expect, it } from 'vitest'
import type { MeterDocument } from '../../../src/console/documents.ts'
import { formatBytes, formatNumber, formatRate, formatSeconds } from '../../../src/console/ui/format.ts'
import {
  addMeterSample,
  formatOf,
  isGrowing,
  keyOfSeries,
  noMeterSamples,
} from '../../../src/console/ui/meter-samples.ts'

const key = keyOfSeries({ tags: { a: '1' } })

function documentAt(now: number, COUNT: number, kind = 'counter'): MeterDocument {
  const series = [{ tags: { a: '1' }, values: { COUNT, MAX: COUNT }, promql: '' }]
  return { now, name: 'm', kind, tags: {}, series, omittedSeries: 0 }
}

function valuesOf(documents: readonly MeterDocument[], statistic: string) {
  return documents.reduce((samples, each) => addMeterSample(samples, each, statistic), noMeterSamples).values.get(key)
}

describe('the samples of a meter', () => {
  it('are rates of what only grows: none for the first one, and after a restart', () => {
    const documents = [documentAt(2_000, 10), documentAt(4_000, 30), documentAt(6_000, 5), documentAt(8_000, 6)]
    expect(valuesOf(documents, 'COUNT')).toEqual([null, 10, null, 0.5])
  })

  it('are values of everything else', () => {
    expect(valuesOf([documentAt(2_000, 10), documentAt(4_000, 3)], 'MAX')).toEqual([10, 3])
    expect(valuesOf([documentAt(2_000, 10), documentAt(4_000, 3)], 'VALUE')).toEqual([null, null])
  })

  it('ignore a document twice, and are limited', () => {
    expect(valuesOf([documentAt(2_000, 10), documentAt(2_000, 10)], 'MAX')).toEqual([10])
    const many = Array.from({ length: 500 }, (_, index) => documentAt(index * 2_000, index))
    expect(valuesOf(many, 'MAX')).toHaveLength(450)
  })

  it('are recognized by their tags in any order', () => {
    expect(keyOfSeries({ tags: { b: '2', a: '1' } })).toBe(keyOfSeries({ tags: { a: '1', b: '2' } }))
  })
})

describe('a statistic', () => {
  it.each([
    ['COUNT', 'timer', true],
    ['COUNT', 'gauge', false],
    ['TOTAL', 'summary', true],
    ['MAX', 'timer', false],
  ])('%s of a %s: only grows is %s', (statistic, kind, expected) => {
    expect(isGrowing(statistic, kind)).toBe(expected)
  })

  it.each([
    ['COUNT', 'timer', 'seconds', formatRate],
    ['MAX', 'timer', 'seconds', formatSeconds],
    ['VALUE', 'gauge', 'bytes', formatBytes],
    ['VALUE', 'gauge', undefined, formatNumber],
    ['TOTAL', 'summary', 'bytes', formatBytes],
    ['ACTIVE_TASKS', 'long-task-timer', 'seconds', formatNumber],
  ])('%s of a %s in %s has a format', (statistic, kind, unit, format) => {
    expect(formatOf(statistic, kind, unit)).toBe(format)
  })
})

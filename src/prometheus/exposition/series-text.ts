import type { MeterId, MeterSnapshot, Tag } from '../../metrics/snapshot.ts'
import { cachedBySlice } from '../slice-cache.ts'
import { type SliceSeries, seriesLabels } from './labels.ts'

/**
 * The start of a line of a series: `orders_total{region="eu"} ` or `orders_total `, or only the labels and the space if
 * the series has samples of several names. The same in both text formats.
 */
interface SeriesText {
  readonly text: string
  /** Whether a tag was changed or omitted, so that another series may have the same text. */
  readonly isAmbiguous: boolean
}

/** The text of each series of one slice. */
interface SliceTexts extends SliceSeries {
  readonly texts: readonly string[]
}

/** The text of each series of a slice; `undefined` for a series that is omitted. */
export type TextsOfSeries = readonly (string | undefined)[]

const textsOfSlices = new WeakMap<MeterId, SliceTexts>()

/** Returns the text of each series of a slice of one family. Cached. */
export function sliceTextsOf(slice: readonly MeterSnapshot[], sampleName: string): SliceTexts {
  return cachedBySlice(textsOfSlices, slice, () => createTexts(slice, sampleName))
}

function createTexts(slice: readonly MeterSnapshot[], sampleName: string): SliceTexts {
  const series = slice.map(({ id, kind }) => createSeriesText(id.tags, kind, sampleName))
  const texts = series.map(({ text }) => text)
  return {
    ids: slice.map(({ id }) => id),
    texts,
    isAmbiguous: series.some(({ isAmbiguous }) => isAmbiguous),
    keyOf: (index) => texts[index] ?? '',
  }
}

/** Returns the name of the sample and the labels. */
export function createSeriesText(tags: readonly Tag[], kind: MeterSnapshot['kind'], sampleName: string): SeriesText {
  const { labels, isAmbiguous } = seriesLabels(tags, kind)
  const pairs = labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',')
  // Joined rather than concatenated: a concatenated string would keep its parts in memory for as long as it is cached.
  const text = labels.length === 0 ? [sampleName, ' '].join('') : [sampleName, '{', pairs, '} '].join('')
  return { text, isAmbiguous }
}

/** Escapes backslash, quote and newline, as both text formats do. */
export function escapeLabelValue(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')
}

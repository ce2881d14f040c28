import type { MeterId, MeterSnapshot, Tag } from '../../metrics/snapshot.ts'
import { exportedLabel } from '../naming.ts'

/**
 * The start of a line of a series: `orders_total{region="eu"} ` or `orders_total `, or only the labels and the space if
 * the series has samples of several names. The same in both text formats.
 */
interface SeriesText {
  readonly text: string
  /** Whether a tag was changed or omitted, so that another series may have the same text. */
  readonly isAmbiguous: boolean
}

/** The text of each series of one slice, in their order. */
export interface SliceTexts {
  readonly ids: readonly MeterId[]
  readonly texts: readonly string[]
  /** Whether any of the series is ambiguous. */
  readonly isAmbiguous: boolean
}

/**
 * By the first id of a slice, since a registry returns the same slices until a series comes or goes. One look-up per
 * slice is not measurable; one per series makes a scrape of 100,000 series take 1.45 times as long.
 */
const textsOfSlices = new WeakMap<MeterId, SliceTexts>()

/** Returns the text of each series of a slice of one family. Cached; the cache does not keep the series alive. */
export function sliceTextsOf(slice: readonly MeterSnapshot[], sampleName: string): SliceTexts {
  const [first] = slice
  const cached = first && textsOfSlices.get(first.id)
  if (cached !== undefined && hasIds(slice, cached.ids)) return cached
  const series = slice.map(({ id, kind }) => createSeriesText(id.tags, kind, sampleName))
  const created = {
    ids: slice.map(({ id }) => id),
    texts: series.map(({ text }) => text),
    isAmbiguous: series.some(({ isAmbiguous }) => isAmbiguous),
  }
  if (first !== undefined) textsOfSlices.set(first.id, created)
  return created
}

function hasIds(slice: readonly MeterSnapshot[], ids: readonly MeterId[]): boolean {
  if (slice.length !== ids.length) return false
  for (let at = 0; at < ids.length; at++) if (slice[at]?.id !== ids[at]) return false
  return true
}

/**
 * Returns the name of the sample and the labels, sorted by name. A tag with an empty value is omitted, because
 * Prometheus does not distinguish it from a missing one. If the keys of several tags become the same label name, their
 * values are joined with `;`. A lone surrogate becomes U+FFFD.
 */
export function createSeriesText(tags: readonly Tag[], kind: MeterSnapshot['kind'], sampleName: string): SeriesText {
  const labels = new Map<string, string>()
  let isAmbiguous = false
  for (const { key, value } of tags) {
    const name = exportedLabel(key, kind)
    const valid = value.replace(/\p{Surrogate}/gu, '\ufffd')
    isAmbiguous ||= name !== key || valid !== value || value === ''
    if (value === '') continue
    const joined = labels.get(name)
    labels.set(name, joined === undefined ? valid : `${joined};${valid}`)
  }
  // Joined rather than concatenated: a concatenated string would keep its parts in memory for as long as it is cached.
  const text = labels.size === 0 ? [sampleName, ' '].join('') : [sampleName, '{', pairs(labels), '} '].join('')
  return { text, isAmbiguous }
}

function pairs(labels: ReadonlyMap<string, string>): string {
  const names = [...labels.keys()].sort()
  return names.map((name) => `${name}="${escapeLabelValue(labels.get(name) ?? '')}"`).join(',')
}

/** Escapes backslash, quote and newline, as both text formats do. */
export function escapeLabelValue(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')
}

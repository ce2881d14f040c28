import type { MeterSnapshot, Tag } from '../../metrics/snapshot.ts'
import { exportedLabel } from '../naming.ts'

/**
 * What a line of a series begins with: `orders_total{region="eu"} ` or `orders_total `, or only the labels and the space where
 * a series has lines of several names. Kept by the id, once made; both text formats write it alike.
 */
export type SeriesText = string | AmbiguousSeriesText

/** A text that another id may have too, because a key or a value had to be changed for it. */
export interface AmbiguousSeriesText {
  readonly text: string
}

/**
 * The sample's name and the labels of one series, sorted by name. A tag with an empty value is left out, as it is the same to
 * Prometheus as no tag at all; the values of keys that meet in one label name are joined with `;`; a lone surrogate becomes
 * U+FFFD.
 */
export function seriesTextOf({ id, kind }: MeterSnapshot, sampleName: string): SeriesText {
  if (isSeriesText(id.rendered)) return id.rendered
  const made = makeSeriesText(id.tags, kind, sampleName)
  id.rendered = made
  return made
}

function isSeriesText(kept: unknown): kept is SeriesText {
  return typeof kept === 'string' || (typeof kept === 'object' && kept !== null && 'text' in kept)
}

function makeSeriesText(tags: readonly Tag[], kind: MeterSnapshot['kind'], sampleName: string): SeriesText {
  const labels = new Map<string, string>()
  let changed = false
  for (const { key, value } of tags) {
    const name = exportedLabel(key, kind)
    const valid = value.replace(/\p{Surrogate}/gu, '\ufffd')
    changed ||= name !== key || valid !== value || value === ''
    if (value === '') continue
    const joined = labels.get(name)
    labels.set(name, joined === undefined ? valid : `${joined};${valid}`)
  }
  // What is kept has to be one flat string: joined, not added up, which would keep all its parts as well.
  const text = labels.size === 0 ? [sampleName, ' '].join('') : [sampleName, '{', pairs(labels), '} '].join('')
  return changed ? { text } : text
}

function pairs(labels: ReadonlyMap<string, string>): string {
  const names = [...labels.keys()].sort()
  return names.map((name) => `${name}="${escapeLabelValue(labels.get(name) ?? '')}"`).join(',')
}

/** Backslash, quote and newline: the same in Prometheus' text and in OpenMetrics. */
export function escapeLabelValue(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')
}

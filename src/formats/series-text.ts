import type { MeterSnapshot, Tag } from '../metrics/snapshot.ts'
import { exportedLabel } from './naming.ts'

/**
 * What stands between a sample's name and its value: `{method="GET",status="200"} `, or one space. Kept by the id, once
 * made; both text formats write it alike.
 */
export type LabelText = string | AmbiguousLabelText

/** A label text that another id may have too, because a key or a value had to be changed for it. */
export interface AmbiguousLabelText {
  readonly text: string
}

/**
 * The labels of one series, sorted by name. A tag with an empty value is left out, as it is the same to Prometheus as no
 * tag at all; the values of keys that meet in one label name are joined with `;`; a lone surrogate becomes U+FFFD.
 */
export function labelTextOf({ id, kind }: MeterSnapshot): LabelText {
  if (isLabelText(id.rendered)) return id.rendered
  const made = makeLabelText(id.tags, kind)
  id.rendered = made
  return made
}

function isLabelText(kept: unknown): kept is LabelText {
  return typeof kept === 'string' || (typeof kept === 'object' && kept !== null && 'text' in kept)
}

function makeLabelText(tags: readonly Tag[], kind: MeterSnapshot['kind']): LabelText {
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
  const text = labels.size === 0 ? ' ' : ['{', pairs(labels), '} '].join('')
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

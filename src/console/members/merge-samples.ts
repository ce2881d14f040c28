import { type HistoryDocument, type VitalName, type Vitals, vitalNames } from '../documents.ts'
import type { OfMember, OfMembers } from './of-member.ts'

/** Values that add up. Of the others the highest of all members is shown. */
const added: ReadonlySet<VitalName> = new Set([
  ...(['requestRate', 'errorRate', 'active', 'cpu', 'rss', 'heapUsed', 'heapTotal', 'external'] as const),
])

/** Values of a process, which all of its threads have. */
const ofProcess: ReadonlySet<VitalName> = new Set(['cpu', 'rss'])

type Values = { readonly [name in VitalName]: number | null }

/** Returns the samples of members as one. */
export function mergeVitals(parts: readonly OfMember<Vitals>[]): Vitals {
  return { at: Math.max(...parts.map(({ document }) => document.at)), ...mergeValues(parts) }
}

/** Returns the histories of members as one, in which a sample that a member took late counts where it is missing. */
export function mergeHistories(parts: OfMembers<HistoryDocument>): HistoryDocument {
  const { now, step } = parts[0].document
  const columns = parts.map(({ member, pid, document }) => ({ member, pid, at: samplesByStep(document, step) }))
  const steps = [...new Set(columns.flatMap(({ at }) => [...at.keys()]))].sort((one, other) => one - other)
  const samples = steps.map((time) => {
    const present = columns.flatMap(({ member, pid, at }) => {
      const document = at.get(time) ?? at.get(time - 1)
      return document === undefined ? [] : [{ member, pid, document }]
    })
    return { time: time * step * 1_000, values: mergeValues(present) }
  })
  const columnOf = (name: VitalName) => samples.map((sample) => sample.values[name])
  return { now, step, times: samples.map(({ time }) => time), values: byName(columnOf) }
}

function mergeValues(parts: readonly OfMember<Values>[]): Values {
  const processes = parts.filter(({ pid }, at) => parts.findIndex((other) => other.pid === pid) === at)
  return byName((name) => {
    const values = (ofProcess.has(name) ? processes : parts).map(({ document }) => document[name])
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return null
    return added.has(name) ? known.reduce((sum, value) => sum + value, 0) : Math.max(...known)
  })
}

function byName<T>(read: (name: VitalName) => T): { readonly [name in VitalName]: T } {
  // Safe: it has every name.
  return Object.fromEntries(vitalNames.map((name) => [name, read(name)])) as { readonly [name in VitalName]: T }
}

/** Returns the samples of a history by the number of their step since the epoch. */
function samplesByStep({ times, values }: HistoryDocument, step: number): ReadonlyMap<number, Values> {
  return new Map(
    times.map((time, at) => [Math.round(time / (step * 1_000)), byName((name) => values[name][at] ?? null)]),
  )
}

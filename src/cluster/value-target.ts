import type { MeterKindName } from '../metrics/meter.ts'
import type { Exemplar } from '../metrics/snapshot.ts'
import type { MemberFile } from './files/member-file.ts'
import type { MemberExemplar } from './member-image.ts'
import type { GaugeRule } from './series-definition.ts'

/** Where the values of a member are copied to: the cells of its file. */
export interface ValueTarget extends Pick<MemberFile, 'cells' | 'define' | 'remove' | 'placeOf'> {
  /** Replaces the exemplar of a series, or of one bucket of it. */
  setExemplar(index: number, bucket: number, exemplar: Exemplar): void
  /** Called when all values of a source were copied. */
  finish(): void
}

/** Copies the values of a source to a target, as often as it is called. */
export interface ValueCopier {
  /**
   * Copies the values that have changed, with a `yield` after some hundred series. Without `gauges` it omits gauges,
   * which call functions of the application, and may omit series of one name if they are many and none has changed.
   * Returns whether the application has counted or recorded something.
   */
  copy(gauges: boolean): Generator<undefined, boolean>
}

/** Returns whether the values of a kind change only as the application counts and records, not as time passes. */
export function isRecorded(kind: MeterKindName): boolean {
  return kind === 'counter' || kind === 'timer' || kind === 'summary'
}

/** As many as the file of a member can hold. */
const maxExemplars = 1_024

/**
 * Returns the file of a member as a target. It adds the declared rules to gauges, keeps the latest exemplars, and
 * discards those that are the oldest.
 */
export function createTarget(file: MemberFile, gauges: Readonly<Record<string, GaugeRule>>): ValueTarget {
  const exemplars = new Map<string, MemberExemplar>()
  let hasChanged = false
  return {
    get cells() {
      return file.cells
    },
    define(definition) {
      const { name } = definition.id
      const rule = definition.kind === 'gauge' && Object.hasOwn(gauges, name) ? gauges[name] : undefined
      return file.define(rule === undefined ? definition : { ...definition, rule })
    },
    placeOf: (index) => file.placeOf(index),
    remove(index) {
      file.remove(index)
      for (const [key, { series }] of exemplars) if (series === index) hasChanged = exemplars.delete(key)
    },
    setExemplar(series, bucket, exemplar) {
      const key = `${series}/${bucket}`
      if (exemplars.get(key)?.exemplar === exemplar) return
      hasChanged = true
      // At the end of the order in which the oldest are discarded.
      exemplars.delete(key)
      exemplars.set(key, { series, bucket, exemplar })
      const [oldest] = exemplars.keys()
      if (exemplars.size > maxExemplars && oldest !== undefined) exemplars.delete(oldest)
    },
    finish() {
      if (hasChanged) file.exemplars = [...exemplars.values()]
      hasChanged = false
    },
  }
}

import type { Exemplar } from '../metrics/snapshot.ts'
import type { SeriesDefinition } from './series-definition.ts'

/** Where the values of a member are copied to: the cells of its file. */
export interface ValueTarget {
  /** Replaced when a definition does not fit: read it after `define`. */
  readonly cells: Float64Array
  /** Adds a series and returns its index. */
  define(definition: SeriesDefinition): number
  remove(index: number): void
  /** Returns the place of the first cell of a series. */
  placeOf(index: number): number
  /** Replaces the exemplar of a series, or of one bucket of it. */
  setExemplar(index: number, bucket: number, exemplar: Exemplar): void
}

/** Copies the values of a source to a target, as often as it is called. */
export interface ValueCopier {
  /**
   * Copies the values that have changed, with a `yield` after some hundred series. Gauges, which call functions of the
   * application, are omitted unless `gauges` is set.
   */
  copy(gauges: boolean): Generator<undefined, void>
}

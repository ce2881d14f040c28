import { cellCount, type SeriesDefinition } from '../series-definition.ts'
import type { DefinitionDecoder } from './definition-log.ts'

/** How many are decoded between two pauses: about a millisecond. */
const slice = 500

/** The definitions of a file up to some byte. Never changes. */
export interface ReadDefinitions {
  readonly generation: string
  readonly series: readonly (SeriesDefinition | undefined)[]
  readonly places: readonly number[]
  /** The number of cells of all of them. */
  readonly cells: number
  readonly bytes: number
  readonly checksum: number
}

export function noDefinitions(generation: string): ReadDefinitions {
  return { generation, series: [], places: [], cells: 0, bytes: 0, checksum: 0 }
}

/** Returns definitions and those of the records that follow them. Throws an error with the reason if one is invalid. */
export function* extendDefinitions(
  before: ReadDefinitions,
  records: Buffer,
  checksum: number,
  decoder: DefinitionDecoder,
): Generator<undefined, ReadDefinitions> {
  if (records.length === 0) return before
  const series = before.series.slice()
  const places = before.places.slice()
  let { cells } = before
  let count = 0
  for (let start = 0; start < records.length; ) {
    const { index, definition, end } = decoder.decode(records, start)
    while (series.length <= index) {
      series.push(undefined)
      places.push(-1)
    }
    if (definition === undefined) {
      if (series[index] === undefined) throw new Error(`series ${index} is removed and was not defined`)
    } else {
      if (places[index] !== -1) throw new Error(`series ${index} is defined twice`)
      places[index] = cells
      cells += cellCount(definition)
    }
    series[index] = definition
    start = end
    count += 1
    if (count % slice === 0) yield
  }
  return { generation: before.generation, series, places, cells, bytes: before.bytes + records.length, checksum }
}

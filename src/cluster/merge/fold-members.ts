import type { BaseContent, MemberImage, MemberRecord } from '../member-image.ts'
import { cellCount, type SeriesDefinition } from '../series-definition.ts'

/**
 * Returns what stays of members that have ended, together with what is in the base already: counts and totals, but no
 * gauges, maxima or long tasks.
 */
export function foldMembers(base: MemberImage | undefined, dead: readonly MemberRecord[]): BaseContent {
  const merged = new Map<string, { definition: SeriesDefinition; cells: number[] }>()
  for (const image of [...(base === undefined ? [] : [base]), ...dead.map((member) => member.image)]) {
    for (const [index, definition] of image.definitions.entries()) {
      if (definition === undefined || definition.kind === 'gauge' || definition.kind === 'longTaskTimer') continue
      const place = image.places[index] ?? 0
      const key = JSON.stringify([definition.kind, definition.id.name, definition.id.tags])
      const known = merged.get(key) ?? { definition, cells: new Array<number>(cellCount(definition)).fill(0) }
      merged.set(key, known)
      for (const at of known.cells.keys()) known.cells[at] = (known.cells[at] ?? 0) + (image.cells[place + at] ?? 0)
    }
  }
  const all = [...merged.values()]
  return {
    definitions: all.map(({ definition }) => definition),
    cells: Float64Array.from(all.flatMap(({ cells }) => cells)),
    exemplars: [],
  }
}

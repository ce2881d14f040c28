import type { BaseContent, MemberImage, MemberRecord } from '../../src/cluster/member-image.ts'
import { cellCount, type SeriesDefinition } from '../../src/cluster/series-definition.ts'

export const accepting = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false } as const

/** Returns the cells of the series of an image, by name. */
export function valuesOf({ definitions, places, cells }: MemberImage): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    definitions.flatMap((definition, index) => {
      const place = places[index] ?? -1
      return definition === undefined
        ? []
        : [[definition.id.name, Array.from(cells.subarray(place, place + cellCount(definition)))]]
    }),
  )
}

/** Adds the cells of all series of a name, and forgets the rest: a merge that is simple enough to compare with. */
export function addCells(base: MemberImage | undefined, dead: readonly MemberRecord[]): BaseContent {
  const sums = new Map<string, { definition: SeriesDefinition; values: number[] }>()
  for (const image of [...(base === undefined ? [] : [base]), ...dead.map((record) => record.image)]) {
    const values = valuesOf(image)
    for (const definition of image.definitions) {
      if (definition === undefined) continue
      const added = values[definition.id.name] ?? []
      const sum = sums.get(definition.id.name) ?? { definition, values: added.map(() => 0) }
      sums.set(definition.id.name, { definition, values: sum.values.map((value, at) => value + (added[at] ?? 0)) })
    }
  }
  const all = [...sums.values()]
  return {
    definitions: all.map(({ definition }) => definition),
    cells: Float64Array.from(all.flatMap(({ values }) => values)),
    exemplars: [],
  }
}

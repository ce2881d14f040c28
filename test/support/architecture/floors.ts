import type { House } from './house.ts'
import { type Place, placeOf, says, targetOf } from './place.ts'
import type { Source } from './source.ts'

/** A file stands in a room of the plan, and a room imports lower floors and itself only. */
export function checkFloors({ plan, sources }: House): readonly string[] {
  return sources.flatMap((source) => {
    const place = placeOf(source.path, plan)
    if (place?.floor === undefined) {
      return [
        `${source.path} stands in ${place?.room}, a room on no floor: add the room to the plan in docs/architecture.md`,
      ]
    }
    return source.imports.flatMap((one) => {
      const target = targetOf(source, one)
      // A service reads its version where it is written.
      if (target === undefined || (place.room === 'examples' && target === 'package.json')) return []
      const why = refusal(place, placeOf(target, plan))
      return why === undefined ? [] : [`${says(source, one)}: ${why}`]
    })
  })
}

function refusal(from: Place, to: Place | undefined): string | undefined {
  if (to === undefined) return 'it is no part of the house'
  if (to.room === from.room || to.floor === undefined || from.floor === undefined) return undefined
  if (to.floor > from.floor)
    return `${from.room} (floor ${from.floor}) must not look up to ${to.room} (floor ${to.floor})`
  if (to.floor === from.floor) return `${from.room} and ${to.room} are neighbours on floor ${from.floor}`
  return undefined
}

/** No circle between rooms, and none between files, types included: whoever reads one would have to read all. */
export function checkCircles({ plan, sources }: House): readonly string[] {
  const files = new Map<string, Set<string>>()
  const rooms = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const one of source.imports) {
      const target = targetOf(source, one)
      if (target !== undefined) {
        connect(files, source.path, target)
        connect(rooms, placeOf(source.path, plan)?.room, placeOf(target, plan)?.room)
      }
    }
  }
  return [
    ...circles(rooms).map((path) => `${firstFile(path, sources, plan)}: rooms in a circle: ${path.join(' → ')}`),
    ...circles(files).map((path) => `${path[0]}: files in a circle: ${path.join(' → ')}`),
  ]
}

function connect(graph: Map<string, Set<string>>, from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || (from === to && !from.includes('/'))) return
  graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

/** One circle for each group of nodes that reach each other: the shortest through the group's first node. */
function circles(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const told = new Set<string>()
  return [...graph.keys()].sort().flatMap((start) => {
    const circle = told.has(start) ? undefined : shortestWayBack(start, graph)
    if (circle === undefined) return []
    for (const node of circle) told.add(node)
    return [circle]
  })
}

function shortestWayBack(
  start: string,
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

function firstFile(circle: readonly string[], sources: readonly Source[], plan: House['plan']): string {
  const leaving = sources.find(
    (source) =>
      placeOf(source.path, plan)?.room === circle[0] &&
      source.imports.some((one) => placeOf(targetOf(source, one) ?? '', plan)?.room === circle[1]),
  )
  return leaving?.path ?? ''
}

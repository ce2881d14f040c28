import type { Codebase } from './codebase.ts'
import { locate, type Place, placeOf, targetOf } from './place.ts'
import type { Source } from './source.ts'

/** Every file is in a module of the plan, and imports lower layers and its own module only. */
export function checkLayers({ sources }: Codebase): readonly string[] {
  return sources.flatMap((source) => {
    const place = placeOf(source.path)
    if (place?.layer === undefined) {
      return [`${source.path}: module ${place?.name} is not listed in test/architecture/plan.ts`]
    }
    return source.imports.flatMap((one) => {
      const target = targetOf(source, one)
      // An example reads its version from package.json.
      if (target === undefined || (place.name === 'examples' && target === 'package.json')) return []
      const reason = refusal(place, placeOf(target))
      return reason === undefined ? [] : [`${locate(source, one)}: ${reason}`]
    })
  })
}

function refusal(from: Place, to: Place | undefined): string | undefined {
  if (to === undefined) return 'the file is outside of src/, adapters/ and examples/'
  if (to.name === from.name || to.layer === undefined || from.layer === undefined) return undefined
  if (to.layer > from.layer) return `${from.name} (layer ${from.layer}) must not import ${to.name} (layer ${to.layer})`
  if (to.layer === from.layer) return `${from.name} and ${to.name} are on the same layer (${from.layer})`
  return undefined
}

/** There is no import cycle between modules, and none between files, types included. */
export function checkCycles({ sources }: Codebase): readonly string[] {
  const files = new Map<string, Set<string>>()
  const modules = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const one of source.imports) {
      const target = targetOf(source, one)
      if (target === undefined) continue
      connect(files, source.path, target)
      const [from, to] = [placeOf(source.path)?.name, placeOf(target)?.name]
      if (from !== to) connect(modules, from, to)
    }
  }
  return [
    ...cycles(modules).map((path) => `${firstFile(path, sources)}: import cycle of modules: ${path.join(' → ')}`),
    ...cycles(files).map((path) => `${path[0]}: import cycle of files: ${path.join(' → ')}`),
  ]
}

function connect(graph: Map<string, Set<string>>, from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined) return
  graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

/**
 * Returns one cycle for each group of nodes that reach each other: the shortest through the first node of the group.
 */
function cycles(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const reported = new Set<string>()
  return [...graph.keys()].sort().flatMap((start) => {
    const cycle = reported.has(start) ? undefined : shortestCycle(start, graph)
    if (cycle === undefined) return []
    for (const node of cycle) reported.add(node)
    return [cycle]
  })
}

function shortestCycle(start: string, graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const paths: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start]
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}

function firstFile(cycle: readonly string[], sources: readonly Source[]): string {
  const leaving = sources.find(
    (source) =>
      placeOf(source.path)?.name === cycle[0] &&
      source.imports.some((one) => placeOf(targetOf(source, one) ?? '')?.name === cycle[1]),
  )
  return leaving?.path ?? ''
}

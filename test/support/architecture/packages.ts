import { isBuiltin } from 'node:module'
import type { House } from './house.ts'
import { packageOf, says, targetOf } from './place.ts'
import type { Import, Source } from './source.ts'

/** Bundled into the package, so no dependency of it; nothing else of zod, whose full build costs ten times as much. */
const bundled = ['zod/mini', 'negotiator']

/** The places below src/ that may name Node's modules get this one only; the rooms on the third floor get any. */
const hashing = 'node:crypto'
const hashingOnly = /^(ids|fields|access)(\/|$)/

/** Node's own modules are named only where the plan says. */
export function checkNodeModules({ plan, sources }: House): readonly string[] {
  return fromLibrary(sources, 'src/').flatMap(([source, one]) => {
    if (one.specifier === undefined || !isBuiltin(one.specifier)) return []
    const path = source.path.slice('src/'.length)
    const place = plan.nodePlaces.find((name) => path === name || path.startsWith(`${name}/`))
    if (place === undefined) return [`${says(source, one)}: no place where the plan lets Node's own modules be named`]
    if (!hashingOnly.test(place) || one.specifier === hashing) return []
    return [`${says(source, one)}: ${place} may name ${hashing} of Node's own modules and no other`]
  })
}

/** The library imports what package.json declares, and src/ no framework; adapters meet theirs by type. */
export function checkPackages({ manifest, sources }: House): readonly string[] {
  const frameworks = sources.flatMap(({ path }) => /^adapters\/([^/]+)\.ts$/.exec(path)?.[1] ?? [])
  return fromLibrary(sources, 'src/', 'adapters/').flatMap(([source, one]) => {
    const name = packageOf(one)
    if (name === undefined || isBuiltin(one.specifier ?? '') || bundled.includes(one.specifier ?? '')) return []
    if (name === manifest.name) return [`${says(source, one)}: the house names itself by path`]
    if (frameworks.includes(name) && source.path.startsWith('src/')) {
      return [`${says(source, one)}: src/ knows no framework`]
    }
    if (frameworks.includes(name) && one.kind === 'code') {
      return [`${says(source, one)}: an adapter meets its framework by type only: import type`]
    }
    if (name in { ...manifest.dependencies, ...manifest.peerDependencies }) return []
    // Loaded where the application has it: a peer of ours would restrict its version.
    if (name.startsWith('@opentelemetry/') && source.path.startsWith('src/telemetry/')) return []
    return [`${says(source, one)}: ${name} is neither a dependency nor a peer in package.json`]
  })
}

/**
 * An adapter has what an author elsewhere has: the public face, adapters/node.ts or adapters/fetch.ts, and a folder of its own
 * name.
 * adapters/node.ts is a face as well, and hands on the lifecycle of a process, which no other place has.
 */
export function checkAdapters({ sources }: House): readonly string[] {
  return fromLibrary(sources, 'adapters/').flatMap(([source, one]) => {
    const target = targetOf(source, one)
    if (target === undefined || authorsHave.includes(target)) return []
    const own = source.path.replace(/^(adapters\/[^/.]+).*$/, '$1/')
    if (target.startsWith(own)) return []
    if (source.path === 'adapters/node.ts' && target.startsWith('src/lifecycle/')) return []
    return [
      `${says(source, one)}: an adapter has what an author elsewhere has: ../src/index.ts, ./node.ts and ./fetch.ts`,
    ]
  })
}

const authorsHave: readonly string[] = ['src/index.ts', 'adapters/node.ts', 'adapters/fetch.ts']

/** An example is what a user could have written: it names upkeep as a package, by one of its public entries. */
export function checkExamples({ manifest, sources }: House): readonly string[] {
  const entries = Object.keys(manifest.exports).map((entry) => entry.replace('.', manifest.name))
  return fromLibrary(sources, 'examples/').flatMap(([source, one]) => {
    if (packageOf(one) === manifest.name && !entries.includes(one.specifier ?? '')) {
      return [`${says(source, one)}: no entry in the exports of package.json`]
    }
    const target = targetOf(source, one)
    if (!/^(src|adapters)\//.test(target ?? '')) return []
    return [`${says(source, one)}: examples name the package, as a user would`]
  })
}

/** What cannot be read in the source cannot be held to the plan. */
export function checkComputedImports({ sources }: House): readonly string[] {
  return fromLibrary(sources, 'src/', 'adapters/').flatMap(([source, one]) => {
    if (one.specifier === undefined) return [`${says(source, one)}: name the module in a string`]
    return one.form === 'require' ? [`${says(source, one)}: use import`] : []
  })
}

function fromLibrary(
  sources: readonly Source[],
  ...folders: readonly string[]
): readonly (readonly [Source, Import])[] {
  return sources
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    .flatMap((source) => source.imports.map((one) => [source, one] as const))
}

import { isBuiltin } from 'node:module'
import type { Codebase } from './codebase.ts'
import { locate, packageOf, placeOf, targetOf } from './place.ts'
import type { Import, Source } from './source.ts'

/**
 * Bundled into the package, so not a dependency; zod's mini build only, because the full one takes ten times as long to
 * load.
 */
const bundled = ['zod/mini', 'minisearch', 'negotiator', 'pprof-format']

/** Bundled into a file of its own, which only \`upkeep mcp\` loads. */
const protocol = '@modelcontextprotocol/sdk'
const protocolFile = 'src/cli/mcp/sdk.ts'

/** Node's own modules are imported only where the plan allows it. */
export function checkNodeModules({ sources }: Codebase): readonly string[] {
  return importsBelow(sources, 'src/').flatMap(([source, one]) => {
    if (one.specifier === undefined || !isBuiltin(one.specifier)) return []
    const allowed = allowedNodeModules(source.path)
    if (allowed.includes('any') || allowed.includes(one.specifier)) return []
    const only =
      allowed.length > 0 ? `the plan allows ${allowed.join(', ')} only` : "the plan allows no module of Node's here"
    return [`${locate(source, one)}: ${only}`]
  })
}

function allowedNodeModules(file: string): readonly string[] {
  const { module, path = '' } = placeOf(file) ?? {}
  if (module?.node === undefined) return []
  if (module.node === 'any') return ['any']
  const places = Object.entries(module.node)
  return (
    places.find(
      ([place]) => place === './' || path === place || (place.endsWith('/') && path.startsWith(place)),
    )?.[1] ?? []
  )
}

/** The library imports what package.json declares. `src/` imports no framework; adapters import theirs by type. */
export function checkPackages({ manifest, sources }: Codebase): readonly string[] {
  const frameworks = sources.flatMap(({ path }) => /^adapters\/([^/]+)\.ts$/.exec(path)?.[1] ?? [])
  return importsBelow(sources, 'src/', 'adapters/').flatMap(([source, one]) => {
    const name = packageOf(one)
    if (source.path.startsWith(page)) return []
    if (name === undefined || isBuiltin(one.specifier ?? '') || bundled.includes(one.specifier ?? '')) return []
    if (name === protocol && source.path === protocolFile) return []
    if (name === manifest.name) return [`${locate(source, one)}: import the file, not the package itself`]
    if (frameworks.includes(name) && source.path.startsWith('src/')) {
      return [`${locate(source, one)}: src/ must not depend on a framework`]
    }
    if (frameworks.includes(name) && one.kind === 'code') {
      return [`${locate(source, one)}: an adapter imports types only from its framework: use import type`]
    }
    if (name in { ...manifest.dependencies, ...manifest.peerDependencies }) return []
    // Loaded where the application has it: a peer dependency would restrict its version.
    if (name.startsWith('@opentelemetry/') && source.path.startsWith('src/otlp/')) return []
    return [`${locate(source, one)}: ${name} is neither a dependency nor a peer in package.json`]
  })
}

/** The sources of the page of the console, which run in a browser. */
const page = 'src/console/ui/'
const bundledIntoPage = ['preact', 'uplot']

/** The page imports what is bundled into it, itself, and the types of the documents that it reads. */
export function checkPage({ sources }: Codebase): readonly string[] {
  return importsBelow(sources, page).flatMap(([source, one]) => {
    const target = targetOf(source, one)
    if (target === undefined && bundledIntoPage.includes(packageOf(one) ?? '')) return []
    if (target?.startsWith(page)) return []
    if (target === 'src/console/documents.ts' && one.kind === 'type') return []
    const allowed = `${bundledIntoPage.join(', ')}, files of ${page}, and types of src/console/documents.ts`
    return [`${locate(source, one)}: the page imports ${allowed}`]
  })
}

/** What the author of an adapter outside of this repository can import. */
const publicToAdapters: readonly string[] = [
  ...['adapter', 'ids', 'index', 'rest'].map((name) => `src/entries/${name}.ts`),
  'adapters/node.ts',
  'adapters/fetch.ts',
  // upkeep/next starts what an application starts elsewhere.
  'src/entries/otlp.ts',
]

/**
 * An adapter imports what the author of another adapter can: `upkeep/adapter`, `upkeep/ids` and `upkeep`,
 * adapters/node.ts or adapters/fetch.ts, and a folder of its own name. adapters/node.ts is an entry point itself, and
 * also exports the lifecycle of a process, which no other entry point has.
 */
export function checkAdapters({ sources }: Codebase): readonly string[] {
  return importsBelow(sources, 'adapters/').flatMap(([source, one]) => {
    const target = targetOf(source, one)
    if (target === undefined || publicToAdapters.includes(target)) return []
    const own = source.path.replace(/^(adapters\/[^/.]+).*$/, '$1/')
    if (target.startsWith(own)) return []
    if (source.path === 'adapters/node.ts' && /^src\/(lifecycle|watch)\//.test(target)) return []
    if (source.path.startsWith('adapters/nest/') && beneathNest.test(target)) return []
    const allowed = '../src/entries/{adapter,ids,index,otlp,rest}.ts, ./node.ts, ./fetch.ts, or files of its own folder'
    return [`${locate(source, one)}: an adapter imports ${allowed}`]
  })
}

/** Nest runs on Express or Fastify, has a lifecycle and schedules tasks: its adapter joins the parts for each of them. */
const beneathNest =
  /^(?:adapters\/(?:express\/route-template|express|fastify)\.ts|src\/lifecycle\/shutdown\/signals\.ts|src\/entries\/instrumentation\.ts)$/

/** An example is what a user could write: it imports the package by one of its entry points. */
export function checkExamples({ manifest, sources }: Codebase): readonly string[] {
  const entries = Object.keys(manifest.exports).map((entry) => entry.replace('.', manifest.name))
  return importsBelow(sources, 'examples/').flatMap(([source, one]) => {
    if (packageOf(one) === manifest.name && !entries.includes(one.specifier ?? '')) {
      return [`${locate(source, one)}: not an entry point in the exports of package.json`]
    }
    const target = targetOf(source, one)
    if (!/^(src|adapters)\//.test(target ?? '')) return []
    return [`${locate(source, one)}: examples import the package, as a user would`]
  })
}

/** Every import can be read in the source. */
export function checkComputedImports({ sources }: Codebase): readonly string[] {
  return importsBelow(sources, 'src/', 'adapters/').flatMap(([source, one]) => {
    if (one.specifier === undefined) return [`${locate(source, one)}: name the module in a string`]
    return one.form === 'require' ? [`${locate(source, one)}: use import`] : []
  })
}

function importsBelow(
  sources: readonly Source[],
  ...folders: readonly string[]
): readonly (readonly [Source, Import])[] {
  return sources
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    .flatMap((source) => source.imports.map((one) => [source, one] as const))
}

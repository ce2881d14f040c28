// Decides which file of dist/ each chunk of esbuild's is written to.

/** A file that is smaller is loaded as a whole where one of its functions is needed. */
const smallFile = 20_000

/**
 * Names the file of dist/ for each chunk.
 *
 * @param {ReturnType<import('./chunk-graph.mjs').readChunks>} chunks
 * @param {object} entries
 * @param {readonly string[]} entries.names the entry points
 * @param {readonly string[]} entries.loaded the files that are loaded by `require`
 * @param {readonly string[]} entries.onUse those that are loaded when they are used
 * @param {ReadonlyMap<string, string>} entries.sources the source file of each entry point
 */
export function groupChunks(chunks, { names, loaded, onUse, sources }) {
  const { reachedFrom, deferredChunks, sizeOf, sourceName } = chunks
  const probe = reachedFrom('cli.js')
  const index = reachedFrom('index.js')
  // On its own, so that an application that bundles `upkeep/ids` alone gets nothing else.
  const ids = reachedFrom('ids.js')
  const usedOf = new Map(onUse.map((name) => [name, reachedFrom(`${name}.js`)]))
  const deferred = deferredBy(new Set([...index, ...[...usedOf.values()].flatMap((used) => [...used])]))
  const commands = [...new Set([...reachedFrom('cli.js', true)].flatMap(deferredChunks))]
  const others = names.filter((name) => name !== 'index')
  const loadedBy = new Map(loaded.map((name) => [name, reachedFrom(`${name}.js`)]))
  // What is deferred by one entry point and imported at once by another is apart from what only the former needs.
  const imported = new Set(others.flatMap((name) => [...reachedFrom(`${name}.js`)]))
  const reached = new Map(others.map((name) => [name, reachedFrom(`${name}.js`, true)]))
  const adapter = reachedFrom('adapter.js')
  // Entry points that other entry points build on: `upkeep/node` and `upkeep/fetch` for the frameworks' adapters.
  const foundations = others
    .filter((name) => !chunks.inputsOf(`${name}.js`).includes(sources.get(name)))
    .sort((a, b) => reached.get(a).size - reached.get(b).size)
  return new Map(chunks.names.map((chunk) => [chunk, groupOf(chunk)]))

  function groupOf(chunk) {
    const users = others.filter((name) => reached.get(name).has(chunk))
    // Loaded in every process of Node's, so it opens no other file.
    if (users.length === 1 && users[0] === 'auto') return 'auto'
    if (probe.has(chunk)) return index.has(chunk) || users.length > 0 ? 'base' : 'cli'
    if (chunk === 'index.js') return 'index'
    if (ids.has(chunk)) return chunk === 'ids.js' ? 'ids' : 'ids-core'
    // Every adapter loads what `upkeep/adapter` has, and some of it when another file is used.
    if (index.has(chunk) || (onUse.length > 0 && chunk !== 'adapter.js' && adapter.has(chunk))) return 'core'
    if (deferred.has(chunk)) return deferred.get(chunk) + (imported.has(chunk) ? '-shared' : '')
    // The first one: a service that uses two of them has usually loaded that already.
    const usedBy = onUse.find((name) => usedOf.get(name).has(chunk))
    if (usedBy !== undefined) return usedBy
    const loaders = loaded.filter((name) => loadedBy.get(name).has(chunk))
    if (users.length === 0) return loaders[0] ?? commandFile(chunk)
    const [only] = users
    if (users.length === 1 && (loaders.length === 0 || isSmall(only))) return only
    const needed = [...users.map((name) => reached.get(name)), ...loaders.map((name) => loadedBy.get(name))]
    const isOwner = (name) => isSmall(name) || needed.every((each) => each.has(mainChunkOf(name)))
    return foundations.find((name) => users.includes(name) && isOwner(name)) ?? 'shared'
  }

  /** Returns the largest chunk that an entry point adds: of those of about that size, the one that the fewest need. */
  function mainChunkOf(name) {
    const added = addedBy(name)
    const largest = added.filter((chunk) => sizeOf(chunk) > 0.9 * sizeOf(added[0]))
    const usersOf = (chunk) => others.filter((each) => reached.get(each).has(chunk)).length
    return largest.sort((a, b) => usersOf(a) - usersOf(b))[0]
  }

  function isSmall(name) {
    return addedBy(name).reduce((sum, chunk) => sum + sizeOf(chunk), 0) < smallFile
  }

  /** Returns the chunks that an entry point adds to `upkeep`, the largest first. */
  function addedBy(name) {
    const added = [...reached.get(name)].filter((chunk) => !index.has(chunk) && !deferred.has(chunk))
    return added.sort((a, b) => sizeOf(b) - sizeOf(a))
  }

  /** Names a file for each command of `upkeep`, and for what a command imports later. */
  function commandFile(chunk) {
    const [command, another] = commands.filter((each) => reachedFrom(each).has(chunk))
    return another === undefined ? `cli-${sourceName(command).replace(/-command$/, '')}` : 'cli-shared'
  }

  /**
   * Names a file of its own for what chunks import later. In a file that also imports `core`, it would close a cycle,
   * and esbuild puts all of such a cycle into functions, from which it removes nothing.
   */
  function deferredBy(some) {
    const files = new Map()
    for (const later of [...some].flatMap(deferredChunks)) {
      for (const each of reachedFrom(later)) if (!some.has(each)) files.set(each, sourceName(later))
    }
    return files
  }
}

// Reads which chunks esbuild wrote for a format, and what each of them imports.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Reads the chunks of a format.
 *
 * @param {string} root
 * @param {string} folder where they are, from the root
 */
export function readChunks(root, folder) {
  const { outputs } = JSON.parse(readFileSync(join(root, folder, 'metafile.json'), 'utf8'))
  /** The files that the program of each worker thread, and the script of each page, is bundled from. */
  const programs = JSON.parse(readFileSync(join(root, folder, 'worker-sources.json'), 'utf8'))
  const at = (chunk) => outputs[join(folder, chunk)]
  const chunks = { names: Object.keys(outputs).map((path) => basename(path)), inputsOf, sizeOf, sourcesOf }
  return { ...chunks, reachedFrom, deferredChunks, sourceName }

  /** Returns the chunks that an entry point imports statically and itself; `lazily` adds what it imports later. */
  function reachedFrom(entry, lazily = false) {
    const reached = new Set(at(entry) === undefined ? [] : [entry])
    for (const chunk of reached) {
      for (const { path: imported, kind, external } of at(chunk).imports) {
        if (!external && (lazily || kind === 'import-statement')) reached.add(basename(imported))
      }
    }
    return reached
  }

  /** Returns the chunks that a chunk imports later. */
  function deferredChunks(chunk) {
    return at(chunk)
      .imports.filter(({ kind, external }) => !external && kind === 'dynamic-import')
      .map(({ path }) => basename(path))
  }

  /** Returns the source files of a chunk that are not empty. */
  function inputsOf(chunk) {
    const { inputs } = at(chunk)
    return Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0)
  }

  /** Returns the bytes of a chunk. */
  function sizeOf(chunk) {
    return at(chunk).bytes
  }

  /** Returns the source files, from the root, that a module of Rollup's is made of. */
  function sourcesOf(moduleId) {
    if (dirname(moduleId) !== join(root, folder)) return []
    return inputsOf(basename(moduleId))
      .filter((input) => !input.startsWith('file-on-use:'))
      .flatMap((input) => [input, ...packagesIn(programs[input.replace(/^(?:worker-source|page-files):/, '')] ?? [])])
  }
}

/** Returns the name of the source file that a chunk was made for. */
function sourceName(chunk) {
  return chunk.replace(/-[A-Z0-9]+\.js$/, '')
}

/** Returns the files of packages: those of upkeep in the program of a worker thread are copies. */
function packagesIn(files) {
  return files.filter((file) => file.startsWith('node_modules/'))
}

/** The files of the application itself may be bundles; a smaller one has no client of a database in it. */
const minBytes = 50_000
/** All that is searched: the largest bundles are of that size. */
const maxBytes = 32_000_000

/**
 * Returns a function that checks whether a string occurs in the large files of the application that have been loaded:
 * those outside of `node_modules`, and its main file.
 */
export function createBundleSearch(): (text: string) => boolean {
  const { cache } = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
  const [, main = ''] = process.argv
  const own = [main, ...Object.keys(cache)].filter((path) => !path.includes('node_modules'))
  let contents: readonly Buffer[] | undefined
  return (text) => {
    contents ??= readLarge([...new Set(own)])
    return contents.some((content) => content.includes(text))
  }
}

function readLarge(paths: readonly string[]): readonly Buffer[] {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  let rest = maxBytes
  return paths.flatMap((path) => {
    try {
      const { size } = statSync(path)
      if (size < minBytes || size > rest) return []
      rest -= size
      return [readFileSync(path)]
    } catch {
      // An entry of another loader, or no permission.
      return []
    }
  })
}

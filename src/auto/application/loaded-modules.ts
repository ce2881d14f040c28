/** The CommonJS modules that the process has loaded, also those that ES modules have imported. */
export interface LoadedModules {
  /** Whether a package has loaded modules. In a bundle it has none. */
  has(packageName: string): boolean
  /** Returns the exports of a file of a package, such as `pg/lib/client.js`, in each installed version. */
  exportsOf(file: string): readonly unknown[]
  /** Returns the directories of the installed versions of a package. */
  directoriesOf(packageName: string): readonly string[]
}

interface CachedModule {
  readonly exports: unknown
}

/** Node has read the file, but not finished it: its exports may not be complete. */
interface LoadingModule extends CachedModule {
  readonly loaded: boolean
}

/** Reads only the names of files: reading members of foreign exports may have effects, such as warnings. */
export function createLoadedModules(): LoadedModules {
  const { cache } = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
  return {
    has: (packageName) => directoriesIn(cache, packageName).next().done === false,
    exportsOf: (file) => {
      const end = `/node_modules/${file}`
      return Object.entries(cache).flatMap(([path, module]) => {
        const isLoaded = (module as LoadingModule | undefined)?.loaded === true
        return isLoaded && withSlashes(path).endsWith(end) ? [module?.exports] : []
      })
    },
    directoriesOf: (packageName) => [...new Set(directoriesIn(cache, packageName))],
  }
}

function* directoriesIn(cache: object, packageName: string): Generator<string> {
  const part = `/node_modules/${packageName}/`
  for (const path of Object.keys(cache)) {
    const at = withSlashes(path).lastIndexOf(part)
    if (at >= 0) yield path.slice(0, at + part.length - 1)
  }
}

function withSlashes(path: string): string {
  return path.includes('\\') ? path.replaceAll('\\', '/') : path
}

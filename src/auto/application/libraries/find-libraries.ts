import type { LoadedModules } from '../loaded-modules.ts'
import type { Library } from './library.ts'

/** The libraries of an application. */
interface FoundLibraries {
  /** Those that are observed. */
  readonly found: readonly string[]
  /** Those that cannot be observed. */
  readonly unseen: readonly string[]
}

/**
 * Returns the libraries that the application has loaded, or contains as a bundle. Nothing is guessed: an ES module
 * outside of a bundle is not visible, and is not listed.
 */
export function findLibraries(
  libraries: readonly Library[],
  modules: LoadedModules,
  isInBundle: (text: string) => boolean,
): FoundLibraries {
  const found: string[] = []
  const unseen: string[] = []
  for (const { name, packageName = name, mark, from, observed, below } of libraries) {
    const directories = modules.directoriesOf(packageName)
    const isBundled = directories.length === 0 && mark !== undefined && isInBundle(mark.join(''))
    if ((directories.length === 0 && !isBundled) || (below !== undefined && found.includes(below))) continue
    if (from !== undefined && directories.some((directory) => isBefore(versionIn(directory), from))) {
      unseen.push(`${name} before ${from}`)
    } else if (observed === 'everywhere' || (observed === 'outside of bundles' && !isBundled)) found.push(name)
    else unseen.push(observed === 'nowhere' ? name : `${name} in a bundle`)
  }
  return { found, unseen }
}

/** Returns the version of an installed package; `undefined` if it cannot be read. */
function versionIn(directory: string): string | undefined {
  try {
    const text = process.getBuiltinModule('node:fs').readFileSync(`${directory}/package.json`, 'utf8')
    const { version } = JSON.parse(text) as { readonly version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

function isBefore(version: string | undefined, first: string): boolean {
  if (version === undefined) return false
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [firstMajor = 0, firstMinor = 0] = first.split('.').map(Number)
  return major < firstMajor || (major === firstMajor && minor < firstMinor)
}

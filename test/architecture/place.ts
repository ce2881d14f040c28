import { dirname, join } from 'node:path/posix'
import { layers, type Module } from './plan.ts'
import type { Import, Source } from './source.ts'

/** Where a file is: its module, its layer, and its path inside the module. */
export interface Place {
  readonly name: string
  /** `undefined` if the plan does not list the module. */
  readonly layer: number | undefined
  readonly module: Module | undefined
  readonly path: string
}

/** Returns where a file is, or `undefined` for a file outside of the modules, such as a test or package.json. */
export function placeOf(path: string): Place | undefined {
  const [top = '', name = '', ...rest] = path.split('/')
  if (top === 'adapters' || top === 'examples') return place(top, [name, ...rest])
  return top === 'src' && name !== '' ? place(name, rest) : undefined
}

function place(name: string, path: readonly string[]): Place {
  const layer = layers.findIndex((modules) => modules.some((module) => module.name === name))
  const module = layers[layer]?.find((one) => one.name === name)
  return { name, layer: layer === -1 ? undefined : layer, module, path: path.join('/') }
}

/**
 * Returns the file that an import names, from the repository's root, or `undefined` for a package or a computed name.
 */
export function targetOf({ path }: Source, { specifier }: Import): string | undefined {
  return specifier?.startsWith('.') ? join(dirname(path), specifier) : undefined
}

/** Returns the package that an import names, without a path inside it. */
export function packageOf({ specifier }: Import): string | undefined {
  if (specifier === undefined || specifier.startsWith('.')) return undefined
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** Returns the beginning of a message: the file, the line, and what is imported there. */
export function locate({ path }: Source, { line, form, specifier }: Import): string {
  const verb = {
    import: 'imports',
    're-export': 're-exports',
    star: 're-exports',
    dynamic: 'imports',
    require: 'requires',
  }
  return `${path}:${line} ${verb[form]} ${specifier === undefined ? 'a computed name' : `'${specifier}'`}`
}

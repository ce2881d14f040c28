import { dirname, join } from 'node:path/posix'
import type { Plan } from './plan.ts'
import type { Import, Source } from './source.ts'

/** A room, and the floor that it stands on; no floor when the plan does not know the room. */
export interface Place {
  readonly room: string
  readonly floor: number | undefined
}

/** Where a file stands, or `undefined` for one outside of the house, such as a test or package.json. */
export function placeOf(path: string, { floors, above, faces, described }: Plan): Place | undefined {
  const [top, room] = path.split('/')
  if (top === 'adapters' || top === 'examples') return { room: top, floor: above.get(top) }
  if (top !== 'src' || room === undefined) return undefined
  if (faces.includes(room)) return { room: `the public face ${room}`, floor: above.get('faces') }
  const name = described.includes(room) ? room.replace(/\.ts$/, '') : room
  return { room: name, floor: floors.get(name) }
}

/** The file that an import names, from the repository's root, or `undefined` when it names a package or is computed. */
export function targetOf({ path }: Source, { specifier }: Import): string | undefined {
  return specifier?.startsWith('.') ? join(dirname(path), specifier) : undefined
}

/** The package that an import names, without a path inside it; Node's own modules bear `node:` here, always. */
export function packageOf({ specifier }: Import): string | undefined {
  if (specifier === undefined || specifier.startsWith('.')) return undefined
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** How every message begins: the file, its line, and what it says there. */
export function says({ path }: Source, { line, form, specifier }: Import): string {
  const verb = {
    import: 'imports',
    're-export': 're-exports',
    star: 're-exports',
    dynamic: 'imports',
    require: 'requires',
  }
  return `${path}:${line} ${verb[form]} ${specifier === undefined ? 'what it computes' : `'${specifier}'`}`
}

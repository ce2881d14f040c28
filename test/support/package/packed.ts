import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const repository: string = resolve(import.meta.dirname, '../../..')

export const { version: builtVersion }: { readonly version: string } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
)

/** The tarball that `npm run build` writes. */
export const builtTarball: string = join(repository, `build/upkeep-${builtVersion}.tgz`)

/** The package as the registry would get it: its tarball, and the same unpacked, outside the repository. */
export interface PackedPackage {
  readonly tarball: string
  readonly folder: string
  /** Every file of the tarball, from the package's root, such as `dist/index.js`. */
  readonly files: readonly string[]
  readonly manifest: PackedManifest
  /** A new empty folder beside it. Outside the repository, or Node would find the repository's own packages. */
  readonly emptyFolder: () => string
  readonly remove: () => void
}

export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string | EntryFiles | Readonly<Record<string, EntryConditions>>>>
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly homepage: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** The files of a condition of `exports`, or of those within it; Node takes the first that it knows. */
export type EntryConditions = EntryFiles | Readonly<Record<string, EntryFiles>>

export interface EntryFiles {
  readonly types: string
  readonly default: string
}

/** Unpacks the tarball that `npm run build` made. */
export function unpackPackage(): PackedPackage {
  if (!existsSync(builtTarball)) throw new Error(`${builtTarball} is missing. Run: npm run build`)
  const work = mkdtempSync(join(tmpdir(), 'upkeep-package-'))
  execute(work, 'tar', '-xf', builtTarball)
  const folder = join(work, 'package')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return {
    tarball: builtTarball,
    folder,
    files: files.filter((path) => statSync(join(folder, path)).isFile()).sort(),
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    emptyFolder: () => mkdtempSync(join(work, 'consumer-')),
    remove: () => rmSync(work, { recursive: true, force: true }),
  }
}

/** The entries that hold code, as a user writes them: `upkeep`, `upkeep/express`, and so on. */
export function codeEntries({ manifest }: PackedPackage): readonly string[] {
  return Object.entries(manifest.exports)
    .filter(([, files]) => typeof files !== 'string')
    .map(([entry]) => entry.replace('.', manifest.name))
}

/** Runs a program to its end and gives what it printed; a failure carries all that it printed. */
export function execute(folder: string, command: string, ...args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}

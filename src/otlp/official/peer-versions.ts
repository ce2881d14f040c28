import { readFileSync } from 'node:fs'
import { installLine } from './install-line.ts'

/**
 * Minimum versions for `startTelemetry`: exporters accept a custom agent from 0.204, which belongs to line 2 of the
 * other packages. `@opentelemetry/api` has its own versions.
 */
const oldest = { api: '1.9.0', exporter: '0.204.0', other: '2.0.0' } as const

/**
 * Checks the installed version of a package, where it can be determined (not in a bundle).
 *
 * @throws Error naming the package, its version, the required version and the command to install it.
 */
export function requireVersion(name: string): void {
  const version = installedVersion(name)
  const required = oldest[name.endsWith('/api') ? 'api' : name.includes('/exporter-') ? 'exporter' : 'other']
  if (version === undefined || !isOlder(version, required)) return
  throw new Error(
    `startTelemetry requires ${name} ${required} or newer, received ${version}. ` +
      `Install matching versions: ${installLine(process.versions.node)}`,
  )
}

/** Returns the `require` of the application, resolved from the current directory. */
export function requireOfApplication(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
}

function installedVersion(name: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module')
  // CommonJS has no `import.meta`.
  const own = createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
  return versionSeenBy(own, name) ?? versionSeenBy(requireOfApplication(), name)
}

function versionSeenBy({ resolve }: NodeJS.Require, name: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(resolve(`${name}/package.json`), 'utf8'))
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** Compares versions by Semantic Versioning, ignoring prereleases. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/, 3).map(Number))
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return at !== undefined && Number(a?.[at]) < Number(b?.[at])
}

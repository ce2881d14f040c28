import { resolve } from 'node:path'
import type { InfoContributor } from './contributor.ts'
import { readJsonObject } from './json-file.ts'

const properties = ['artifact', 'group', 'name', 'version', 'time'] as const

/**
 * `build`: artifact, group, name, version and time of the running build. Each is read from the environment
 * (`BUILD_VERSION`, `BUILD_TIME`, …) or else from `build-info.json` in the working directory; name and version also
 * from `package.json` there. Read once; omitted if nothing is found.
 */
export function buildInfo({
  directory = '.',
  environment = process.env,
  version,
}: BuildInfoOptions = {}): InfoContributor {
  let reading: ReturnType<typeof readBuild> | undefined
  return () => {
    reading ??= readBuild(directory, environment, version)
    return reading
  }
}

interface BuildInfoOptions {
  readonly directory?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The version of the application, which takes precedence over that in `package.json`. */
  readonly version?: string | undefined
}

async function readBuild(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
  applicationVersion: string | undefined,
) {
  const { name, version: packageVersion } = await readJsonObject(resolve(directory, 'package.json'))
  const written = await readJsonObject(resolve(directory, 'build-info.json'))
  const version = applicationVersion ?? packageVersion
  const known: Readonly<Record<string, unknown>> = { name, version, ...written }
  const found = properties.flatMap((property) => {
    // Build systems leave empty variables, which count as unset.
    const value = environment[`BUILD_${property.toUpperCase()}`] || known[property]
    return typeof value === 'string' && value !== '' ? [[property, value] as const] : []
  })
  return found.length === 0 ? undefined : { build: Object.fromEntries(found) }
}

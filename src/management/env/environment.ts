import { lazy } from '../../base/lazy.ts'
import type { Report } from '../../base/report.ts'
import { readJsonObject } from '../info/json-file.ts'
import { argumentProperties, environmentProperties, systemProperties } from './process-properties.ts'
import { createSourceReader, flatten, type PropertySource, type ReadProperties } from './property-source.ts'

/** Reads all sources of properties, the one that takes precedence first. */
type ReadEnvironment = () => Promise<readonly ReadProperties[]>

/**
 * Creates the reader of the sources: arguments of the process and of Node, facts about the process, the environment,
 * and the sources of the application. The last one is `config` of `package.json` in the working directory, which is
 * read once.
 */
export function createEnvironmentReader(sources: readonly PropertySource[], report: Report): ReadEnvironment {
  const readers = sources.map((source) => createSourceReader(source, report))
  const packageConfig = lazy(readPackageConfig)
  return async () => [
    { name: 'commandLineArgs', properties: argumentProperties(process.argv.slice(2)) },
    { name: 'nodeOptions', properties: argumentProperties(process.execArgv) },
    { name: 'systemProperties', properties: systemProperties() },
    { name: 'systemEnvironment', properties: environmentProperties(process.env) },
    ...readers.map((read) => read()),
    ...(await packageConfig()),
  ]
}

async function readPackageConfig(): Promise<readonly ReadProperties[]> {
  const { config } = await readJsonObject(`${process.cwd()}/package.json`)
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return []
  const properties = [...flatten(config)].map(([name, { value }]) => {
    return [name, { value, origin: `package.json - config.${name}` }] as const
  })
  return [{ name: 'package.json', properties: new Map(properties) }]
}

/** Returns the profile of the process: the value of `NODE_ENV`. */
export function activeProfiles({
  NODE_ENV: profile = '',
}: Readonly<Record<string, string | undefined>>): readonly string[] {
  return /^[\w.-]{1,64}$/.test(profile) ? [profile] : []
}

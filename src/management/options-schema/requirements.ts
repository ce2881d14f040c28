import type { ManagementOptions } from '../options.ts'

interface Requirement {
  readonly isMet: (options: ManagementOptions) => boolean
  readonly path: string[]
  readonly message: string
}

/** Returns what options require of one another. */
export function requirements(): readonly Requirement[] {
  return [
    exposed('loggers', 'loggers', 'logger.loggers, pinoLoggers(logger) or winstonLoggers(logger)'),
    exposed('logfile', 'logFile', 'the path of a file'),
    exposed('scheduledtasks', 'scheduledTasks', 'createScheduledTasks()'),
    exposed('caches', 'caches', 'createCaches()'),
    exposed('sbom', 'sbom', "{ application: 'sbom.cdx.json' }"),
    exposed('captures', 'recorder', '{} or options of the flight recorder'),
    {
      isMet: ({ info, ssl }) => ssl !== undefined || info?.ssl !== true,
      path: ['ssl'],
      message: 'sslBundles({ … }), because "info.ssl" is true',
    },
  ]
}

/** An endpoint that shows what an option passes requires the option. */
function exposed(id: string, name: keyof ManagementOptions, expected: string): Requirement {
  return {
    isMet: (options) => options[name] !== undefined || options.expose?.some((each) => each === id) !== true,
    path: [name],
    message: `${expected}, because "${id}" is exposed`,
  }
}

import type { ManagementOptions } from '../options.ts'

/** What options require of one another. */
export const requirements: readonly {
  readonly isMet: (options: ManagementOptions) => boolean
  readonly path: string[]
  readonly message: string
}[] = [
  {
    isMet: ({ expose, loggers }) => loggers !== undefined || expose?.includes('loggers') !== true,
    path: ['loggers'],
    message: 'logger.loggers, pinoLoggers(logger) or winstonLoggers(logger), because "loggers" is exposed',
  },
  {
    isMet: ({ expose, logFile }) => logFile !== undefined || expose?.includes('logfile') !== true,
    path: ['logFile'],
    message: 'the path of a file, because "logfile" is exposed',
  },
  {
    isMet: ({ expose, scheduledTasks }) => scheduledTasks !== undefined || expose?.includes('scheduledtasks') !== true,
    path: ['scheduledTasks'],
    message: 'createScheduledTasks(), because "scheduledtasks" is exposed',
  },
  {
    isMet: ({ expose, caches }) => caches !== undefined || expose?.includes('caches') !== true,
    path: ['caches'],
    message: 'createCaches(), because "caches" is exposed',
  },
  {
    isMet: ({ expose, sbom: paths }) => paths !== undefined || expose?.includes('sbom') !== true,
    path: ['sbom'],
    message: `{ application: 'sbom.cdx.json' }, because "sbom" is exposed`,
  },
  {
    isMet: ({ expose, recorder }) => recorder !== undefined || expose?.includes('captures') !== true,
    path: ['recorder'],
    message: '{} or options of the flight recorder, because "captures" is exposed',
  },
  {
    isMet: ({ info, ssl: bundles }) => bundles !== undefined || info?.ssl !== true,
    path: ['ssl'],
    message: 'sslBundles({ … }), because "info.ssl" is true',
  },
]

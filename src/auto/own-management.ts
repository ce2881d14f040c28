import type { Report } from '../base/report.ts'
import { bearerToken } from '../management/access/bearer-token.ts'
import { createManagement } from '../management/create-management.ts'
import type { Management } from '../management/management.ts'
import type { ManagementOptions } from '../management/options.ts'
import type { ApplicationPackage } from './application-package.ts'
import type { Settings } from './settings/auto-options.ts'

interface OwnManagement {
  readonly management: Management
  /** Those that it has been created with. */
  readonly settings: Settings
}

/** Options of the configuration file by which it may limit who reads what. */
const restricting = ['expose', 'access', 'authorize'] as const

/**
 * Creates the management without the options of the configuration file, if those are invalid; only with `health`, if
 * they limit the access to the rest.
 */
export function createOwnManagement(
  settings: Settings,
  application: ApplicationPackage,
  report: Report,
): OwnManagement {
  try {
    return { management: createManagement(managementOptions(settings, application, report)), settings }
  } catch (error) {
    report('upkeep.config: management: its options are not used', error)
    const isRestricted = restricting.some((name) => name in settings.management)
    const defaults: Settings = { ...settings, ...(isRestricted && { expose: ['health'] }), management: {} }
    return { management: createManagement(managementOptions(defaults, application, report)), settings: defaults }
  }
}

/**
 * Returns the options of the management: `health` and its probes for all, everything else for the token. What the
 * configuration file has in `management` takes precedence.
 */
function managementOptions(
  { token, expose, conventions, management }: Settings,
  { name, version }: ApplicationPackage,
  report: Report,
): ManagementOptions {
  const { health, paths, access } = management
  return {
    application: { name, version },
    conventions,
    expose,
    report,
    ...(token !== undefined && { authorize: bearerToken(token) }),
    ...management,
    access: token === undefined ? access : { '*': 'authorized', health: 'public', ...access },
    health: token === undefined ? health : { showDetails: 'when-authorized', ...health },
    paths: { 'health/liveness': '/livez', 'health/readiness': '/readyz', ...paths },
  }
}

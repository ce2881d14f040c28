import type { Report } from '../base/report.ts'
import { bearerToken } from '../management/access/bearer-token.ts'
import { createManagement, type Management } from '../management/create-management.ts'
import type { ManagementOptions } from '../management/options.ts'
import type { ApplicationPackage } from './application-package.ts'
import type { Settings } from './settings/auto-options.ts'

/** Creates the management without the options of the configuration file, if those are invalid. */
export function createOwnManagement(settings: Settings, application: ApplicationPackage, report: Report): Management {
  try {
    return createManagement(managementOptions(settings, application, report))
  } catch (error) {
    report('upkeep.config: management: its options are not used', error)
    return createManagement(managementOptions({ ...settings, management: {} }, application, report))
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

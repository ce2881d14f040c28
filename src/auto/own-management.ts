import type { Report } from '../base/report.ts'
import type { ClientDiscovery } from '../health/discovery/discovery.ts'
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
  discovery: ClientDiscovery | undefined,
  report: Report,
): OwnManagement {
  const create = (used: Settings) => createManagement(managementOptions(used, application, discovery, report))
  try {
    return { management: create(settings), settings }
  } catch (error) {
    report('upkeep.config: management: its options are not used', error)
    const isRestricted = restricting.some((name) => name in settings.management)
    const defaults: Settings = { ...settings, ...(isRestricted && { expose: ['health'] }), management: {} }
    return { management: create(defaults), settings: defaults }
  }
}

/**
 * Returns the options of the management: `health` and its probes for all, everything else for the token. What the
 * configuration file has in `management` takes precedence.
 */
function managementOptions(
  { token, expose, conventions, readiness, management }: Settings,
  { name, version }: ApplicationPackage,
  discovery: ClientDiscovery | undefined,
  report: Report,
): ManagementOptions {
  const { health, paths, access } = management
  const members = knownComponents(readiness, discovery?.kinds ?? [], Object.keys(health?.indicators ?? {}), report)
  return {
    application: { name, version },
    conventions,
    expose,
    report,
    ...(token !== undefined && { authorize: bearerToken(token) }),
    ...management,
    access: token === undefined ? access : { '*': 'authorized', health: 'public', ...access },
    health: {
      ...(discovery && { discover: discovery }),
      ...(token !== undefined && { showDetails: 'when-authorized' }),
      ...health,
      groups: {
        ...(members.length > 0 && { readiness: { include: ['readinessState', ...members] } }),
        ...health?.groups,
      },
    },
    paths: { 'health/liveness': '/livez', 'health/readiness': '/readyz', ...paths },
  }
}

/**
 * Returns the components that exist, or will as soon as they are discovered; reports the others. What is discovered has
 * no parts yet.
 */
function knownComponents(
  names: readonly string[],
  discovered: readonly string[],
  indicators: readonly string[],
  report: Report,
): readonly string[] {
  return names.filter((name) => {
    const isKnown = discovered.includes(name) || indicators.includes(name.split('/', 1)[0] ?? '')
    const expected = [...discovered, ...indicators].join(', ')
    if (!isKnown) report(`UPKEEP_READINESS: expected components of ${expected}, received "${name}"`)
    return isKnown
  })
}

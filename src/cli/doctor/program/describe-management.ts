import type { Indicator, Indicators } from '../../../health/indicator.ts'
import type { EndpointAccess } from '../../../management/access.ts'
import type { AnnouncedManagement, ComponentFacts, ComponentTree, ManagementFacts } from './program-facts.ts'

/** The endpoints that are readable without `authorize`, and show more than a status; all others require it. */
const openEndpoints = ['info', 'metrics', 'prometheus', 'loggers']

/** Describes a management without its functions. */
export function describeManagement({ options, groups }: AnnouncedManagement): ManagementFacts {
  const { basePath = '/management', paths = {}, expose = ['health'], access = {}, health = {} } = options
  // A rule of its own is a decision; that for all endpoints (`*`) as well.
  const isOpen = (id: string): boolean =>
    [id, '*'].every(
      (name) => !Object.hasOwn(access, name) || readSide(access[name as keyof typeof access]) === undefined,
    )
  const componentsOf = (group: string) => describeComponents(groups.get(group)?.components, health.indicators ?? {})
  return {
    basePath: basePath === '/' ? '' : basePath,
    paths,
    open: expose.filter((id) => openEndpoints.includes(id) && isOpen(id)),
    liveness: componentsOf('liveness'),
    readiness: componentsOf('readiness'),
  }
}

function readSide(access: EndpointAccess | undefined) {
  return typeof access === 'object' && !('roles' in access) ? access.read : access
}

/** Lists the leaves of a group without the availability of the application and the cluster. */
function describeComponents(
  components: ReadonlyMap<string, ComponentTree> = new Map(),
  indicators: Indicators,
  above = '',
): readonly ComponentFacts[] {
  return [...components].flatMap(([name, component]): readonly ComponentFacts[] => {
    const indicator = Object.hasOwn(indicators, name) ? indicators[name] : undefined
    if (above === '' && indicator === undefined) return []
    const path = above + name
    if (component.components === undefined) return [{ path, isRemote: isRemote(indicator) }]
    const inner = indicator !== undefined && 'indicators' in indicator ? indicator.indicators : {}
    return describeComponents(component.components, inner, `${path}/`)
  })
}

function isRemote(indicator: Indicator | undefined): boolean {
  if (typeof indicator === 'function') return indicator.isRemote === true
  return indicator !== undefined && 'check' in indicator && indicator.check.isRemote === true
}

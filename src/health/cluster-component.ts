import { healthOfError } from './checks/check-result.ts'
import type { Component, Leaf } from './component.ts'
import type { Health } from './indicator.ts'

/** The name of the component that shows a cluster. */
export const clusterName = 'cluster'

/** The health of a cluster, and of each member by its number. */
export interface ClusterHealth extends Health {
  readonly components: Readonly<Record<string, Health>>
}

/** Reads the health of the cluster that an application may join. */
export interface ClusterHealthSource {
  /** Whether the application has joined a cluster. */
  readonly isJoined: () => boolean
  /** Whether the readiness of the application is that of a cluster that it has joined. */
  readonly decidesReadiness: () => boolean
  /** Returns the health, the same object while it is unchanged. Called only for a cluster that was joined. */
  readonly read: () => ClusterHealth
}

/** Creates the component of a cluster, which is omitted until one is joined, and whose parts are its members. */
export function createClusterComponent(source: ClusterHealthSource, onStatusChange: () => void): Leaf {
  let lastStatus: string | undefined
  const read = (): Health => {
    try {
      return source.read()
    } catch (error) {
      return healthOfError(error)
    }
  }
  const readPart = (name: string): Health | undefined => {
    const health: Partial<ClusterHealth> | undefined = source.isJoined() ? read() : undefined
    const parts = health?.components ?? {}
    return Object.hasOwn(parts, name) ? parts[name] : undefined
  }
  return {
    kind: 'leaf',
    isPresent: source.isJoined,
    check() {
      const health = read()
      if (lastStatus !== health.status) {
        lastStatus = health.status
        onStatusChange()
      }
      return health
    },
    latest: read,
    part: (name) => (readPart(name) === undefined ? undefined : createPart(() => readPart(name))),
  }
}

const gone: Health = { status: 'UNKNOWN' }

function createPart(read: () => Health | undefined): Leaf {
  const health = () => read() ?? gone
  return { kind: 'leaf', isPresent: () => read() !== undefined, check: health, latest: health }
}

/**
 * Returns the components of the group `readiness`: the cluster takes the place of the application's own readiness while
 * it decides.
 */
export function readinessWithCluster(
  members: ReadonlyMap<string, Component>,
  cluster: Leaf,
  { decidesReadiness }: ClusterHealthSource,
): ReadonlyMap<string, Component> {
  const own = members.get('readinessState')
  return new Map<string, Component>([
    ...members,
    ...(own?.kind === 'leaf' ? [['readinessState', { ...own, isPresent: () => !decidesReadiness() }] as const] : []),
    [clusterName, members.get(clusterName) ?? { ...cluster, isPresent: decidesReadiness }],
  ])
}

import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { ClusterView } from './cluster-host.ts'
import { isStale } from './member-image.ts'

/**
 * Registers the meters of a cluster: its members that are alive, those of them that are stale, the age of the oldest
 * heartbeat in whole seconds, and files that are not merged. With `isAlone` also whether this member is alone. Returns
 * a function that removes them.
 */
export function bindClusterMeters(
  meters: MeterRegistry,
  { members, refused }: Pick<ClusterView, 'members' | 'refused'>,
  isAlone?: () => boolean,
): () => void {
  const alive = () => members().filter(({ isAlive }) => isAlive)
  // Whole seconds: otherwise it changes each time, and a member writes all its values although none has changed.
  const age = () => Math.max(0, ...alive().map((each) => Math.floor(each.age)))
  const bound = [
    meters.gauge('upkeep.cluster.members', {}, () => alive().length, {
      description: 'How many members of the cluster are alive',
    }),
    meters.gauge('upkeep.cluster.stale', {}, () => alive().filter(isStale).length, {
      description: 'How many members of the cluster are alive, but have written nothing for two seconds',
    }),
    meters.gauge('upkeep.cluster.age', {}, age, {
      description: 'How long ago the oldest heartbeat of a member that is alive was',
      baseUnit: 'seconds',
    }),
    meters.gauge('upkeep.cluster.refused', {}, refused, {
      description: 'How many files of the cluster cannot be read, and are not merged',
    }),
  ]
  if (isAlone !== undefined) {
    const alone = meters.gauge('upkeep.cluster.alone', {}, () => Number(isAlone()), {
      description: 'Whether this member cannot use the files of the cluster, and shows its own values only',
    })
    bound.push(alone)
  }
  return () => {
    for (const meter of bound) meters.remove(meter)
  }
}

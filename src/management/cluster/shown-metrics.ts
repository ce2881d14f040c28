import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { ClusterView } from '../../cluster/cluster-host.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import type { Scraper } from '../../prometheus/scraper.ts'
import type { ManagedMetrics } from '../managed-metrics.ts'
import { memberNotFound, readMember } from './member-parameter.ts'

/** A source that endpoints show, and its exposition. */
interface ShownSource {
  readonly source: SnapshotSource
  readonly scraper: Scraper
}

/** Returns what a query selects: the cluster, or one member. Rejects or throws with HttpError 400 or 404. */
export type SelectSource = (query: URLSearchParams) => MaybePromise<ShownSource>

/** Scrapers of more members are created anew, so that overlapping scrapes of one may be rendered twice. */
const maxMembers = 64

/** The sources of one view. */
interface ShownCluster {
  readonly view: ClusterView
  readonly merged: ShownSource
  /** By slot. */
  readonly members: Map<number, ShownSource>
}

/**
 * Creates the selection of what `metrics` and `prometheus` show: the values of this member, or of all members once a
 * cluster is attached, or of the member that the query parameter `member` names.
 */
export function createShownMetrics(
  { source: own, createScraper }: Pick<ManagedMetrics, 'source' | 'createScraper'>,
  cluster: { readonly view: ClusterView | undefined },
): SelectSource {
  const show = (source: SnapshotSource): ShownSource => ({ source, scraper: createScraper(source) })
  const alone = show(own)
  let shown: ShownCluster | undefined

  function shownOf(view: ClusterView): ShownCluster {
    if (shown?.view !== view) shown = { view, merged: show(view.source), members: new Map() }
    return shown
  }

  async function selectMember(view: ClusterView, slot: number): Promise<ShownSource> {
    // A member that has just joined or ended is known after the members have been read.
    await view.source.refresh?.()
    const { members } = shownOf(view)
    if (view.member(slot) === undefined) {
      members.delete(slot)
      throw memberNotFound(slot, view)
    }
    const selected = members.get(slot) ?? show(sourceOfMember(view, slot))
    if (members.size >= maxMembers && !members.has(slot)) members.delete([...members.keys()][0] ?? slot)
    members.set(slot, selected)
    return selected
  }

  return (query) => {
    const { view } = cluster
    const slot = readMember(query)
    if (view === undefined) {
      shown = undefined
      if (slot !== undefined) throw memberNotFound(slot, view)
      return alone
    }
    if (slot === undefined) return shownOf(view).merged
    return selectMember(view, slot)
  }
}

/** Returns the series of whichever member has the slot at each read. */
function sourceOfMember(view: ClusterView, slot: number): SnapshotSource {
  return {
    names: () => view.member(slot)?.names() ?? [],
    snapshot: (name) => view.member(slot)?.snapshot(name) ?? [],
    slices: (size) => view.member(slot)?.slices(size) ?? [],
    refresh: async () => view.member(slot)?.refresh?.(),
  }
}

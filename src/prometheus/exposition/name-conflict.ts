import type { MeterId } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'

/** Two meters with the same exported name or series: the first is written, the other is omitted. */
export interface NameConflict {
  /** Whether all series of the dropped meter's name are omitted, or only one. */
  readonly scope: 'family' | 'series'
  /** The name or series of both, such as `orders_total` or `orders{region="eu"}`. */
  readonly exported: string
  /** The meter that is written. */
  readonly kept: MeterId
  /** The meter that is omitted; of a family, its first one. */
  readonly dropped: MeterId
}

export type ReportConflict = (conflict: NameConflict) => void

/** The exported names of one page. */
interface TakenNames {
  /** Takes all names of a family and returns `true`; reports the first that another family has and returns `false`. */
  take(exported: ExportedName, id: MeterId): boolean
}

/** `namesOf` returns every name that a family takes on the page. */
export function createTakenNames(
  namesOf: (exported: ExportedName) => readonly string[],
  report: ReportConflict,
): TakenNames {
  const owners = new Map<string, MeterId>()
  return {
    take(exported, id) {
      const names = namesOf(exported)
      for (const name of names) {
        const kept = owners.get(name)
        if (kept === undefined) continue
        report({ scope: 'family', exported: name, kept, dropped: id })
        return false
      }
      for (const name of names) owners.set(name, id)
      return true
    },
  }
}

import type { MeterId } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'
import type { ExpositionFormat } from './exposition-format.ts'

/** Two meters that would share an exported name or a series: the first one is written, the other is not. */
export interface NameConflict {
  /** Whether all series of the dropped meter's name are not written, or one only. */
  readonly scope: 'family' | 'series'
  /** The name or the series that both would have, such as `orders_total` or `orders{region="eu"}`. */
  readonly exported: string
  /** The meter that is written. */
  readonly kept: MeterId
  /** The meter that is not; of a whole family, the first one. */
  readonly dropped: MeterId
}

export type ReportConflict = (conflict: NameConflict) => void

/** The exported names of one page: `take` takes all names of a family, or reports the first that another has. */
export interface TakenNames {
  take(exported: ExportedName, id: MeterId): boolean
}

export function createTakenNames({ namesOf }: ExpositionFormat, report: ReportConflict): TakenNames {
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

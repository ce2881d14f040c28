import type { MemberIdentity } from '../member-image.ts'
import type { SeriesKind } from '../series-definition.ts'
import { CellProgram } from './cell-program.ts'
import type { MergedCells } from './merged-cells.ts'
import type { MergedSeries } from './merged-series.ts'

/** The value of a process in one series, for which each of its threads has a value. */
export interface StagedSeries {
  readonly series: MergedSeries
  readonly place: number
  readonly size: number
  threads: number
}

/**
 * The values of one process, put together from its threads before they are merged with those of other processes: of
 * counts the greatest, of gauges the last.
 */
export class ProcessStage {
  readonly program: CellProgram = new CellProgram()
  readonly #staged = new Map<MergedSeries, StagedSeries>()

  add(series: MergedSeries, cells: MergedCells): StagedSeries {
    let staged = this.#staged.get(series)
    if (staged === undefined) {
      const size = stagedCells(series.family.kind)
      staged = { series, size, place: cells.allocate(size, Number.NaN), threads: 0 }
      this.#staged.set(series, staged)
    }
    staged.threads += 1
    return staged
  }

  /** Removes one thread from a series; returns whether it was the last one, so that the cells can be released. */
  remove(staged: StagedSeries): boolean {
    staged.threads -= 1
    if (staged.threads > 0) return false
    this.#staged.delete(staged.series)
    return true
  }

  /** Works out how the values of the process are merged with those of others. */
  compile(): void {
    this.program.clear()
    for (const { series, place, size } of this.#staged.values()) {
      const owner = series.admission === 'overflowed' ? series.family.overflow : series
      const to = owner?.next?.place
      if (to === undefined) continue
      const { kind } = series.family
      const operation = kind === 'gauge' ? 'sum' : 'amount'
      for (let cell = 0; cell < size; cell++) this.program.add(operation, place + cell, to + cell)
    }
  }
}

function stagedCells(kind: SeriesKind): number {
  return kind === 'functionTimer' ? 2 : 1
}

/** The stages of all processes. */
export class ProcessStages {
  #current = new Map<string, ProcessStage>()
  #before = new Map<string, ProcessStage>()

  /** Begins an update: the stages of processes that are not looked up again are forgotten. */
  begin(): void {
    this.#before = this.#current
    this.#current = new Map()
  }

  /** Returns the stage of a process, and creates it. */
  of(process: string): ProcessStage {
    const known = this.#current.get(process) ?? this.#before.get(process) ?? new ProcessStage()
    this.#current.set(process, known)
    return known
  }

  all(): Iterable<ProcessStage> {
    return this.#current.values()
  }
}

/** Returns what tells a process from others: pids are used again. */
export function processKey({ pid, processStart }: MemberIdentity): string {
  return `${pid} ${processStart}`
}

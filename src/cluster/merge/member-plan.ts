import { cellPlaces, type GaugeRule, type SeriesDefinition } from '../series-definition.ts'
import { type Bounds, bucketMapping } from './bucket-bounds.ts'
import { CellProgram, type Operation } from './cell-program.ts'
import type { MergedSeries, SeriesLayout } from './merged-series.ts'
import { isDistribution } from './merged-series.ts'
import type { ProcessStage, StagedSeries } from './process-stage.ts'

/** The operation of each rule of gauges. */
const operationOf: Readonly<Record<GaugeRule, Operation>> = {
  sum: 'sum',
  max: 'greatest',
  min: 'least',
  last: 'last',
  each: 'last',
}

/** What is known of a member when its series are looked up: another one makes all of them be looked up again. */
export interface PlanState {
  readonly generation: string
  /** Whether its gauges, maxima and long tasks count. */
  readonly isLive: boolean
  readonly slot: number
  /** `undefined` for the base. */
  readonly stage: ProcessStage | undefined
  /** The slot of its process, the tag `member` of process-wide gauges. */
  readonly stageSlot: number
}

/** Which merged series each series of a member belongs to, and what is done with its cells. */
export class MemberPlan {
  readonly state: PlanState
  readonly program: CellProgram = new CellProgram()
  /** By index, as the series were looked up. */
  readonly definitions: (SeriesDefinition | undefined)[] = []
  readonly places: number[] = []
  readonly series: (MergedSeries | undefined)[] = []
  readonly bounds: (Bounds | undefined)[] = []
  /** Values of a process, that are put together from its threads first. */
  readonly staged: Map<number, StagedSeries> = new Map()
  /** Indices of series that other members describe differently, or that are left out for another kind or unit. */
  readonly conflicting: Set<number> = new Set()
  /** Indices of series that are merged with exponential histograms. */
  exponential: number[] = []
  /** How many of the series are in the program. */
  compiled = 0

  constructor(state: PlanState) {
    this.state = state
  }

  startOver(): void {
    this.program.clear()
    this.exponential = []
    this.compiled = 0
  }

  /** Adds what is done with the cells of one series. */
  compile(index: number): void {
    const series = this.series[index]
    const from = this.places[index]
    if (series === undefined || from === undefined) return
    const { program, state } = this
    const { kind, rule } = series.family
    const staged = this.staged.get(index)
    if (staged !== undefined) {
      const operation = kind === 'gauge' ? 'last' : 'max'
      for (let cell = 0; cell < staged.size; cell++) program.add(operation, from + cell, staged.place + cell)
      return
    }
    const owner = ownerOf(series)
    const layout = owner?.next
    if (owner === undefined || layout === undefined) return
    const to = layout.place
    if (kind === 'gauge') {
      program.add(rule.gauge === 'each' && rule.scope === 'thread' ? 'each' : operationOf[rule.gauge], from, to)
    } else if (isDistribution(kind)) {
      program.add('amount', from + cellPlaces.total, to + cellPlaces.total)
      if (state.isLive) program.add('max', from + cellPlaces.max, to + cellPlaces.max)
      program.add('count', from + cellPlaces.count, to + cellPlaces.count)
      this.#compileBuckets(this.bounds[index], from, layout)
      if (layout.isExponential) this.exponential.push(index)
    } else {
      const operation = rule.scope === 'machine' ? 'max' : 'amount'
      program.add(operation, from, to)
      if (kind === 'functionTimer') program.add(operation, from + 1, to + 1)
    }
  }

  #compileBuckets(own: Bounds | undefined, from: number, { place, bounds }: SeriesLayout): void {
    if (own === undefined || bounds.length === 0) return
    const to = place + cellPlaces.buckets
    // A series without buckets has only the count of those that are greater than any bound.
    if (own.length === 0) this.program.add('count', from + cellPlaces.count, to + bounds.length)
    else if (own === bounds) {
      for (let at = 0; at <= own.length; at++) this.program.add('count', from + cellPlaces.buckets + at, to + at)
    } else {
      for (const [at, merged] of bucketMapping(own, bounds).entries()) {
        this.program.add('count', from + cellPlaces.buckets + at, to + merged)
      }
    }
  }
}

/** Returns the series whose cells a series is merged into; `undefined` if it is left out. */
export function ownerOf(series: MergedSeries): MergedSeries | undefined {
  switch (series.admission) {
    case 'overflowed':
      return series.family.overflow
    case 'leftOut':
    case 'ended':
      return undefined
    case 'new':
    case 'admitted':
      return series
  }
}

import { type Clock, systemClock } from '../../base/clock.ts'
import type { MeterId, Tag } from '../snapshot.ts'
import { listTags, type TagSet } from './tags.ts'

/** The parts of an id that several series share. */
export interface SeriesHome {
  readonly name: string
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  /** Milliseconds since 1970-01-01T00:00:00Z; ages count from it. */
  readonly epoch: number
  tagsOf(row: number): TagSet
}

/** The id of one series. Its tags are stored by its home, as small codes. */
export class Series implements MeterId {
  home: SeriesHome
  row: number
  /**
   * Whole milliseconds from the home's epoch to the start of the series: a small integer takes a third of the memory of
   * a time.
   */
  readonly age: number

  constructor(home: SeriesHome, row: number, age: number) {
    this.home = home
    this.row = row
    this.age = age
  }

  get name(): string {
    return this.home.name
  }

  get tags(): readonly Tag[] {
    return listTags(this.home.tagsOf(this.row))
  }

  get description(): string | undefined {
    return this.home.description
  }

  get baseUnit(): string | undefined {
    return this.home.baseUnit
  }

  /** Seconds since 1970-01-01T00:00:00Z. */
  get created(): number {
    return (this.home.epoch + this.age) / 1_000
  }

  /** Omits the home, which refers to all other series. */
  toJSON(): Pick<MeterId, 'name' | 'tags' | 'description' | 'baseUnit'> {
    const { name, tags, description, baseUnit } = this
    return { name, tags, description, baseUnit }
  }

  /** Replaces the home, which will discard the tags, by one of its own. */
  leave(): void {
    const { name, description, baseUnit, epoch } = this.home
    const tags = this.home.tagsOf(this.row)
    this.home = { name, description, baseUnit, epoch, tagsOf: () => tags }
  }
}

/**
 * Returns a function that returns the whole milliseconds since now, for the start of series. Series that are created in
 * one turn share one reading of the system's clock, which would take a fifth of their creation; other clocks are read
 * each time.
 */
export function createAgeReader(clock: Clock): () => number {
  const origin = clock.monotonicTime()
  const read = (): number => Math.round(clock.monotonicTime() - origin)
  if (clock !== systemClock) return read
  let age: number | undefined
  const forget = (): void => {
    age = undefined
  }
  return () => {
    if (age === undefined) {
      age = read()
      queueMicrotask(forget)
    }
    return age
  }
}

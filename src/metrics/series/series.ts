import type { MeterId, Tag } from '../snapshot.ts'
import { listTags, type TagSet } from './tags.ts'

/** Where the parts of an id are kept that it shares with other series. */
export interface SeriesHome {
  readonly name: string
  readonly description: string | undefined
  readonly baseUnit: string | undefined
  /** Milliseconds since 1970-01-01T00:00:00Z that ages count from. */
  readonly epoch: number
  tagsOf(row: number): TagSet
}

/** The id of one series. It keeps no tags itself: its home has them, as small codes. */
export class Series implements MeterId {
  home: SeriesHome
  row: number
  /** Whole milliseconds after the home's epoch at which the series began: a small integer costs a third of a wall time. */
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

  /** Without its home, which has all other series. */
  toJSON(): Pick<MeterId, 'name' | 'tags' | 'description' | 'baseUnit'> {
    const { name, tags, description, baseUnit } = this
    return { name, tags, description, baseUnit }
  }

  /** Takes its tags with it, out of a home that will forget them. */
  leave(): void {
    const { name, description, baseUnit, epoch } = this.home
    const tags = this.home.tagsOf(this.row)
    this.home = { name, description, baseUnit, epoch, tagsOf: () => tags }
  }
}

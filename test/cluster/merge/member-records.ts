import type { MeterId, Tag } from 'upkeep/metrics'
import type { BaseContent, MemberExemplar, MemberImage, MemberRecord } from '../../../src/cluster/member-image.ts'
import { cellCount, type SeriesDefinition, type SeriesKind } from '../../../src/cluster/series-definition.ts'

/** A series as a member writes it: its definition and its cells, the missing ones 0. */
export interface WrittenSeries {
  readonly definition: SeriesDefinition
  readonly cells: readonly number[]
}

interface SeriesParts {
  readonly tags?: Readonly<Record<string, string>>
  readonly created?: number
  readonly description?: string | undefined
  readonly baseUnit?: string | undefined
  readonly bounds?: readonly number[]
  readonly exponentialBuckets?: number
}

export function written(
  kind: SeriesKind,
  name: string,
  cells: readonly number[],
  { tags = {}, created = 1_000, description, baseUnit, ...rest }: SeriesParts = {},
): WrittenSeries {
  const id: MeterId = { name, tags: tagList(tags), description, baseUnit }
  return { definition: { kind, id, created, ...rest }, cells }
}

function tagList(tags: Readonly<Record<string, string>>): Tag[] {
  return Object.keys(tags)
    .sort()
    .map((key) => ({ key, value: tags[key] ?? '' }))
}

let generations = 0

/** Returns the image of series; `undefined` is one that was removed. */
export function imageOf(
  series: readonly (WrittenSeries | undefined)[],
  { exemplars = [], generation }: { readonly exemplars?: readonly MemberExemplar[]; readonly generation?: string } = {},
): MemberImage {
  const cells: number[] = []
  const places: number[] = []
  for (const each of series) {
    places.push(cells.length)
    if (each === undefined) continue
    const size = cellCount(each.definition)
    for (let at = 0; at < size; at++) cells.push(each.cells[at] ?? 0)
  }
  generations += 1
  return {
    definitions: series.map((each) => each?.definition),
    places,
    cells: Float64Array.from(cells),
    exemplars,
    generation: generation ?? `g${generations}`,
  }
}

/** Returns the content of a base as the image that readers find. */
export function baseImage({ definitions, cells, exemplars }: BaseContent): MemberImage {
  const places: number[] = []
  let place = 0
  for (const definition of definitions) {
    places.push(place)
    place += cellCount(definition)
  }
  generations += 1
  return { definitions, places, cells, exemplars, generation: `g${generations}` }
}

interface MemberParts {
  readonly pid?: number
  readonly threadId?: number
  readonly isAlive?: boolean
  readonly isProcessAlive?: boolean
  readonly age?: number
  readonly joinedAt?: number
  readonly incarnation?: string
}

/** Returns a member; a live main thread of its own process by default. */
export function memberOf(slot: number, image: MemberImage, parts: MemberParts = {}): MemberRecord {
  const { pid = 1_000 + slot, threadId = 0, isAlive = true, isProcessAlive = isAlive, age = 0, joinedAt = slot } = parts
  return {
    identity: {
      slot,
      incarnation: parts.incarnation ?? `incarnation ${slot}`,
      pid,
      processStart: `start of ${pid}`,
      systemThread: undefined,
      parent: 1,
      threadId,
      joinedAt,
      application: 'orders',
      version: undefined,
    },
    state: { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false },
    isAlive,
    isProcessAlive,
    age,
    image,
  }
}

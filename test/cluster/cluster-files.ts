import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openGroup } from '../../src/cluster/files/group.ts'
import type { Group, JoinOptions, MemberFile } from '../../src/cluster/files/group-interface.ts'
import type { BaseContent, MemberImage, MemberRecord } from '../../src/cluster/member-image.ts'
import { cellCount, type SeriesDefinition } from '../../src/cluster/series-definition.ts'

export const accepting = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false } as const

/** Returns the path of a directory that does not exist, in one that is removed after the test. */
export function newDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'upkeep-cluster-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'group')
}

export function openTestGroup(directory: string, options: Partial<Parameters<typeof openGroup>[0]> = {}): Group {
  const report = (message: string, cause: unknown) => {
    throw new Error(message, { cause })
  }
  return openGroup({ directory, clock: systemClock, report, ...options })
}

export function joinGroup(group: Group, options: Partial<JoinOptions> = {}): MemberFile {
  const member = group.join({ application: 'orders', version: '1.0', state: accepting, merge: addCells, ...options })
  onTestFinished(() => {
    try {
      member.leave(accepting)
    } catch {
      // Its directory is gone.
    }
  })
  return member
}

export function counter(name: string, tags: readonly { key: string; value: string }[] = []): SeriesDefinition {
  return { kind: 'counter', id: { name, tags, description: undefined, baseUnit: undefined }, created: 1 }
}

/** Returns the cells of the series of an image, by name. */
export function valuesOf({ definitions, places, cells }: MemberImage): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    definitions.flatMap((definition, index) => {
      const place = places[index] ?? -1
      return definition === undefined
        ? []
        : [[definition.id.name, Array.from(cells.subarray(place, place + cellCount(definition)))]]
    }),
  )
}

/** Adds the cells of all series of a name, and forgets the rest: a merge that is simple enough to compare with. */
export function addCells(base: MemberImage | undefined, dead: readonly MemberRecord[]): BaseContent {
  const sums = new Map<string, { definition: SeriesDefinition; values: number[] }>()
  for (const image of [...(base === undefined ? [] : [base]), ...dead.map((record) => record.image)]) {
    const values = valuesOf(image)
    for (const definition of image.definitions) {
      if (definition === undefined) continue
      const added = values[definition.id.name] ?? []
      const sum = sums.get(definition.id.name) ?? { definition, values: added.map(() => 0) }
      sums.set(definition.id.name, { definition, values: sum.values.map((value, at) => value + (added[at] ?? 0)) })
    }
  }
  const all = [...sums.values()]
  return {
    definitions: all.map(({ definition }) => definition),
    cells: Float64Array.from(all.flatMap(({ values }) => values)),
    exemplars: [],
  }
}

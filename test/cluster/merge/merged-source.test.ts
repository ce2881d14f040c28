import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import type { MemberImage, MemberRecord } from '../../../src/cluster/member-image.ts'
import { foldMembers } from '../../../src/cluster/merge/fold-members.ts'
import { createMergedSource, type MergedSource } from '../../../src/cluster/merge/merged-source.ts'
import { baseImage, imageOf, memberOf, type WrittenSeries, written } from './member-records.ts'

function merged(): MergedSource {
  return createMergedSource({ gauges: {}, report: vi.fn() })
}

async function read(members: readonly MemberRecord[], base?: MemberImage): Promise<readonly MeterSnapshot[]> {
  const source = merged()
  await source.update(members, base)
  return [...source.snapshot()]
}

const counter = (value: number, region = 'eu'): WrittenSeries =>
  written('counter', 'orders', [value], { tags: { region } })

describe('createMergedSource', () => {
  it('adds counters of members and of the base', async () => {
    const base = baseImage(foldMembers(undefined, [memberOf(0, imageOf([counter(100)]), { isAlive: false })]))
    const shown = await read(
      [memberOf(1, imageOf([counter(1)])), memberOf(2, imageOf([counter(20, 'us'), counter(3)]))],
      base,
    )
    expect(shown.map((each) => ('value' in each ? [each.id.tags[0]?.value, each.value] : each))).toEqual([
      ['eu', 104],
      ['us', 20],
    ])
  })
})

import type { MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import type { MemberImage, MemberRecord } from '../../../src/cluster/member-image.ts'
import { foldMembers } from '../../../src/cluster/merge/fold-members.ts'
import { createMergedSource, type MergedSource } from '../../../src/cluster/merge/merged-source.ts'
import type { GaugeRule } from '../../../src/cluster/series-definition.ts'
import { baseImage, imageOf, memberOf, type WrittenSeries, written } from './member-records.ts'

const tags = { region: 'eu' }
const unknown = Number.NaN

async function merge(
  members: readonly MemberRecord[],
  { gauges = {}, base, maximum }: { gauges?: Record<string, GaugeRule>; base?: MemberImage; maximum?: number } = {},
): Promise<{ source: MergedSource; shown: readonly MeterSnapshot[]; report: ReturnType<typeof vi.fn> }> {
  const report = vi.fn()
  const source = createMergedSource({
    gauges,
    report,
    ...(maximum === undefined ? {} : { maximumSeriesPerMeter: maximum }),
  })
  await source.update(members, base)
  return { source, shown: [...source.snapshot()], report }
}

function membersWith(...series: readonly (WrittenSeries | readonly WrittenSeries[])[]): MemberRecord[] {
  return series.map((each, at) => memberOf(at + 1, imageOf([each].flat())))
}

const distribution = { percentiles: undefined, exponential: undefined, exemplars: undefined, created: 1_000 }
const bounds = [1, 5]
/** Scale 0: buckets (1, 2], (2, 4], …; the cells are total, max, count, then scale, zeros, offset, length, counts. */
const exponentialBuckets = 4

/** What two members have, and what is shown of both. */
const rows: readonly {
  readonly what: string
  readonly one: WrittenSeries
  readonly other: WrittenSeries
  readonly gauges?: Record<string, GaugeRule>
  readonly shown: readonly object[]
}[] = [
  {
    what: 'counter: the sum, since the earliest start',
    one: written('counter', 'm', [2], { tags, created: 1_005 }),
    other: written('counter', 'm', [40], { tags }),
    shown: [{ kind: 'counter', value: 42, created: 1_000, exemplar: undefined }],
  },
  {
    what: 'functionTimer: the sums of counts and of totals',
    one: written('functionTimer', 'm', [2, 0.5]),
    other: written('functionTimer', 'm', [3, 0.25]),
    shown: [{ kind: 'functionTimer', count: 5, total: 0.75, created: 1_000 }],
  },
  ...(['timer', 'summary'] as const).map((kind) => ({
    what: `${kind}: the sums of counts and totals, the greatest maximum`,
    one: written(kind, 'm', [6, 4, 2]),
    other: written(kind, 'm', [9, 3, 5]),
    shown: [{ ...distribution, kind, count: 7, total: 15, max: 4, buckets: undefined }],
  })),
  {
    what: 'timer with buckets: the sum of each bucket',
    one: written('timer', 'm', [8, 4, 3, 1, 2, 0], { bounds }),
    other: written('timer', 'm', [80, 70, 2, 1, 0, 1], { bounds: [...bounds] }),
    shown: [{ ...distribution, kind: 'timer', count: 5, total: 88, max: 70, buckets: { bounds, counts: [2, 2, 1] } }],
  },
  {
    what: 'timer with other buckets: the bounds that both have',
    one: written('timer', 'm', [8, 4, 6, 1, 2, 3, 0], { bounds: [1, 3, 5] }),
    other: written('timer', 'm', [80, 70, 7, 4, 2, 1], { bounds: [3, 9] }),
    shown: [
      { ...distribution, kind: 'timer', count: 13, total: 88, max: 70, buckets: { bounds: [3], counts: [7, 6] } },
    ],
  },
  {
    what: 'timer with an exponential histogram: the sum at the smaller scale',
    one: written('timer', 'm', [9, 6, 4, 1, 1, 2, 3, 1, 0, 2], { exponentialBuckets }),
    other: written('timer', 'm', [5, 3, 2, 0, 0, 0, 2, 1, 1], { exponentialBuckets }),
    shown: [
      {
        ...distribution,
        kind: 'timer',
        count: 6,
        total: 14,
        max: 6,
        buckets: undefined,
        exponential: { scale: 0, zeroCount: 1, offset: 0, counts: [1, 2, 2] },
      },
    ],
  },
  {
    what: 'longTaskTimer: the sums of tasks and durations, the greatest maximum',
    one: written('longTaskTimer', 'm', [6, 4, 2]),
    other: written('longTaskTimer', 'm', [9, 5, 3]),
    shown: [{ kind: 'longTaskTimer', activeTasks: 5, duration: 15, max: 5, buckets: undefined }],
  },
  ...(
    [
      ['sum', 10],
      ['max', 7],
      ['min', 3],
      ['last', 3],
    ] as const
  ).map(([rule, value]) => ({
    what: `gauge declared as ${rule}`,
    one: written('gauge', 'm', [7], { tags }),
    other: written('gauge', 'm', [3], { tags }),
    gauges: { m: rule },
    shown: [{ kind: 'gauge', value }],
  })),
  {
    what: 'gauge that is not declared: each, with the slot of its member',
    one: written('gauge', 'm', [7], { tags: { zone: 'a' } }),
    other: written('gauge', 'm', [3], { tags: { zone: 'a' } }),
    shown: [
      { kind: 'gauge', value: 7, tags: 'member=1 zone=a' },
      { kind: 'gauge', value: 3, tags: 'member=2 zone=a' },
    ],
  },
  {
    what: 'gauge with a tag member of its own: it becomes exported_member',
    one: written('gauge', 'm', [7], { tags: { member: 'alice' } }),
    other: written('gauge', 'm', [3], { tags: { member: 'alice', exported_member: 'x' } }),
    shown: [
      { kind: 'gauge', value: 7, tags: 'exported_member=alice member=1' },
      { kind: 'gauge', value: 3, tags: 'exported_exported_member=alice exported_member=x member=2' },
    ],
  },
]

describe('two members', () => {
  for (const { what, one, other, gauges, shown } of rows) {
    it(`show of a ${what}`, async () => {
      const found = await merge(membersWith(one, other), gauges === undefined ? {} : { gauges })
      expect(found.shown.map(({ id: _, ...values }) => values)).toEqual(
        shown.map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'tags'))),
      )
      for (const [at, each] of shown.entries()) {
        if ('tags' in each) expect(textOf(found.shown[at]?.id.tags)).toBe(each.tags)
      }
      expect(found.report).not.toHaveBeenCalled()
    })
  }
})

function textOf(list: readonly { key: string; value: string }[] = []): string {
  return list.map(({ key, value }) => `${key}=${value}`).join(' ')
}

/** A value that no member would write, and what is shown of it beside a member that has 5. */
const absurd = [
  ['NaN', Number.NaN],
  ['negative', -1],
  ['infinite', Number.POSITIVE_INFINITY],
  ['negative and infinite', Number.NEGATIVE_INFINITY],
  ['too great', 1e200],
] as const

describe('a member with a value that cannot be right', () => {
  for (const [what, value] of absurd) {
    it(`changes nothing of the values of others: ${what}`, async () => {
      const bad = [
        written('counter', 'counter', [value]),
        written('functionTimer', 'functionTimer', [value, value]),
        written('timer', 'timer', [value, value, value, value, value, value], { bounds }),
        written('gauge', 'sum', [what === 'negative' ? unknown : value * 1e200]),
      ]
      const good = [
        written('counter', 'counter', [5]),
        written('functionTimer', 'functionTimer', [5, 5]),
        written('timer', 'timer', [5, 5, 5, 5, 0, 0], { bounds }),
        written('gauge', 'sum', [5]),
      ]
      for (const order of [
        [bad, good],
        [good, bad],
      ]) {
        const { shown, source } = await merge(membersWith(...order), { gauges: { sum: 'sum' } })
        expect(shown).toMatchObject([
          { value: 5 },
          { count: 5, total: 5 },
          { value: 5 },
          { count: 5, total: 5, max: 5, buckets: { counts: [5, 0, 0] } },
        ])
        expect(source.invalid).toBeGreaterThan(0)
      }
      const dead = membersWith(bad, good).map((member) => ({ ...member, isAlive: false, isProcessAlive: false }))
      const { shown } = await merge([], { base: baseImage(foldMembers(undefined, dead)) })
      expect(shown).toMatchObject([{ value: 5 }, { count: 5, total: 5 }, { count: 5, total: 5, max: unknown }])
    })
  }

  it('is left out of native histograms with all others, when its own contradicts its count', async () => {
    const good = written('timer', 'm', [9, 6, 4, 1, 1, 2, 3, 1, 0, 2], { exponentialBuckets })
    const cells = [9, 6, 4, 1, 1, 2, 3, 1, 0, 7]
    const { shown } = await merge(membersWith(good, written('timer', 'm', cells, { exponentialBuckets })))
    expect(shown).toMatchObject([{ count: 8, total: 18, exponential: undefined }])
  })

  it.each([
    ['a scale', [1_000, 1, 2, 3, 1, 0, 2]],
    ['a fraction', [0.5, 1, 2, 3, 1, 0, 2]],
    ['an offset', [1, 1, 2 ** 52, 3, 1, 0, 2]],
    ['a length', [1, 1, 2, 300, 1, 0, 2]],
    ['a count', [1, 1, 2, 3, 1, -1, 3]],
  ])('is left out of native histograms with %s that cannot be', async (_, histogram) => {
    const { shown } = await merge(membersWith(written('timer', 'm', [9, 6, 4, ...histogram], { exponentialBuckets })))
    expect(shown).toMatchObject([{ count: 4, total: 9, exponential: undefined }])
  })
})

describe('a member that has ended', () => {
  const all = [
    written('counter', 'counter', [5]),
    written('gauge', 'gauge', [5]),
    written('longTaskTimer', 'longTaskTimer', [5, 5, 5]),
    written('summary', 'summary', [9, 6, 4, 1, 3, 0, 1, 1, 2, 3, 1, 0, 2], { bounds, exponentialBuckets }),
  ]
  const counts = [
    { id: { name: 'counter' }, value: 5 },
    {
      id: { name: 'summary' },
      count: 4,
      total: 9,
      max: unknown,
      buckets: { bounds, counts: [1, 3, 0] },
      exponential: { scale: 1, zeroCount: 1, offset: 2, counts: [1, 0, 2] },
    },
  ]
  const ended = memberOf(1, imageOf(all), { isAlive: false })

  it('keeps its counts and totals, before and after it is folded, but no gauges, maxima and long tasks', async () => {
    expect((await merge([ended])).shown).toMatchObject(counts)
    const base = baseImage(foldMembers(undefined, [ended]))
    expect((await merge([], { base })).shown).toMatchObject(counts)
    expect((await merge([], { base: baseImage(foldMembers(base, [])) })).shown).toMatchObject(counts)
    expect(foldMembers(undefined, [ended]).definitions.map(({ kind }) => kind)).toEqual(['counter', 'summary'])
  })

  it('does not keep the buckets of an earlier version from changing', async () => {
    const base = baseImage(foldMembers(undefined, [memberOf(1, imageOf([written('timer', 'm', [2, 1, 2])]))]))
    const { shown } = await merge(membersWith(written('timer', 'm', [8, 4, 3, 1, 2, 0], { bounds })), { base })
    expect(shown).toMatchObject([{ count: 5, total: 10, buckets: { bounds, counts: [1, 2, 2] } }])
  })
})

describe('values of a process', () => {
  const thread = (rss: number, cpu: number, heap: number) =>
    imageOf([
      written('gauge', 'process.memory.rss', [rss]),
      written('counter', 'process.cpu.time', [cpu]),
      written('gauge', 'jvm.memory.used', [heap]),
      written('gauge', 'disk.free', [rss * 10], { tags: { path: '/' } }),
      written('counter', 'container.memory.events', [cpu], { tags: { event: 'oom' } }),
    ])
  const members = (isAlive: boolean) => [
    memberOf(1, thread(100, 7, 1), { pid: 9, threadId: 1, isAlive, age: 0.5 }),
    memberOf(2, thread(101, 8, 2), { pid: 9, threadId: 0, isAlive, age: 0.1 }),
    memberOf(3, thread(300, 5, 3), { pid: 10, isAlive, age: 0.2 }),
  ]
  const lines = (shown: readonly MeterSnapshot[]) =>
    shown.map((each) => `${each.id.name} ${textOf(each.id.tags)} ${'value' in each ? each.value : ''}`)

  it('are shown once per process, those of the machine once, those of threads for each', async () => {
    expect(lines((await merge(members(true))).shown)).toEqual([
      'container.memory.events event=oom 8',
      'disk.free path=/ 1010',
      'jvm.memory.used member=1 1',
      'jvm.memory.used member=2 2',
      'jvm.memory.used member=3 3',
      'process.cpu.time  13',
      'process.memory.rss member=2 101',
      'process.memory.rss member=3 300',
    ])
  })

  it('are added up once per process where that is declared', async () => {
    const gauges = { 'process.memory.rss': 'sum', 'disk.free': 'sum' } as const
    const { shown } = await merge(members(true), { gauges })
    expect(lines(shown)).toContain('process.memory.rss  401')
    expect(lines(shown)).toContain('disk.free path=/ 1010')
  })

  it('stay once per process when all its threads have ended', async () => {
    const shown = ['container.memory.events event=oom 8', 'process.cpu.time  13']
    expect(lines((await merge(members(false))).shown)).toEqual(shown)
    const base = baseImage(foldMembers(undefined, members(false)))
    expect(lines((await merge([], { base })).shown)).toEqual(shown)
  })

  it('are not folded of a thread whose process goes on', async () => {
    const [worker, main, other] = members(true) as [MemberRecord, MemberRecord, MemberRecord]
    const base = baseImage(foldMembers(undefined, [{ ...worker, isAlive: false, isProcessAlive: true }]))
    expect(lines((await merge([main, other], { base })).shown)).toContain('process.cpu.time  13')
  })
})

describe('more series than the maximum', () => {
  const ofMember = (kind: 'counter' | 'gauge', first: number) =>
    Array.from({ length: 3 }, (_, at) =>
      written(kind, 'm', [1], { tags: { shop: `${first + at}` }, created: 1_000 + first + at }),
    )

  it('are merged into one with the tag value _overflow, the latest of all members', async () => {
    const { shown, source, report } = await merge(membersWith(ofMember('counter', 3), ofMember('counter', 0)), {
      maximum: 4,
    })
    expect(shown.map((each) => [textOf(each.id.tags), 'value' in each && each.value]).sort()).toEqual([
      ['shop=0', 1],
      ['shop=1', 1],
      ['shop=2', 1],
      ['shop=3', 1],
      ['shop=_overflow', 2],
    ])
    expect(source.overflowed).toBe(2)
    expect(report.mock.calls).toEqual([
      [
        "the meter 'm' has more than 4 series in all members of a cluster; further ones are merged with the tag " +
          "value '_overflow'",
      ],
    ])
  })

  it('are left out if they are gauges, until there is room', async () => {
    const [one, other] = membersWith(ofMember('gauge', 0), ofMember('gauge', 3)) as [MemberRecord, MemberRecord]
    const { shown, source } = await merge([one, other], { maximum: 4 })
    expect(shown).toHaveLength(4)
    expect(source.overflowed).toBe(2)
    await source.update([other], undefined)
    expect([...source.snapshot()].map((each) => textOf(each.id.tags))).toEqual(
      expect.arrayContaining(['member=2 shop=3', 'member=2 shop=4', 'member=2 shop=5']),
    )
    expect(source.overflowed).toBe(0)
  })
})

describe('members that define a meter differently', () => {
  it.each([
    ['kind', written('gauge', 'm', [9]), { m: 'sum' } as const, 1],
    ['unit', written('counter', 'm', [9], { baseUnit: 'kilobytes' }), {}, 1],
    ['description', written('counter', 'm', [9], { description: 'other' }), {}, 10],
  ])('show the first one: another %s', async (what, other, gauges, value) => {
    const first = written('counter', 'm', [1], { description: 'Sizes', baseUnit: 'bytes' })
    const [one, two] = membersWith(first, other) as [MemberRecord, MemberRecord]
    const { source, shown, report } = await merge([two, one], { gauges })
    expect(shown).toMatchObject([{ kind: 'counter', value, id: { description: 'Sizes' } }])
    expect(source.conflicts).toBe(1)
    expect(report).toHaveBeenCalledExactlyOnceWith(`the meter 'm' has another ${what} in some members of the cluster`)
    await source.update([two], undefined)
    await source.update([two], undefined)
    if (what === 'kind') expect([...source.snapshot()]).toMatchObject([{ kind: 'gauge', value: 9 }])
  })
})

describe('a merged series', () => {
  it('has the same id in all updates, whichever members have it', async () => {
    const series = [written('counter', 'c', [1]), written('timer', 't', [1, 1, 1])]
    const { source } = await merge([memberOf(1, imageOf(series))])
    const ids = [...source.snapshot()].map(({ id }) => id)
    for (const members of [
      [memberOf(1, imageOf(series)), memberOf(2, imageOf(series))],
      [memberOf(2, imageOf(series), { isAlive: false })],
    ]) {
      await source.update(members, undefined)
      expect([...source.snapshot()].every(({ id }, at) => id === ids[at])).toBe(true)
    }
  })

  it('ends when no member has it any more', async () => {
    const image = imageOf([written('counter', 'c', [1]), written('gauge', 'g', [1])])
    const { source } = await merge([memberOf(1, image)])
    await source.update([memberOf(1, { ...image, definitions: [image.definitions[0], undefined] })], undefined)
    expect(source.names()).toEqual(['c'])
    expect([...source.slices()].flat()).toHaveLength(1)
  })

  it('has the latest exemplar of each bucket', async () => {
    const at = (timestamp: number, value = 3) => ({ value, traceId: `t${timestamp}`, spanId: 's', timestamp })
    const cells = [3, 3, 1, 0, 1, 0]
    const image = (bucketBounds: readonly number[], bucket: number, timestamp: number) =>
      imageOf([written('timer', 'm', cells, { bounds: bucketBounds })], {
        exemplars: [{ series: 0, bucket, exemplar: at(timestamp) }],
      })
    const { shown } = await merge([memberOf(1, image([1, 5], 1, 20)), memberOf(2, image([2, 5], 1, 30))])
    expect(shown).toMatchObject([{ buckets: { bounds: [5] }, exemplars: [at(30), undefined] }])
  })
})

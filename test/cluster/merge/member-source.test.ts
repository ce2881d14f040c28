import { createMeterRegistry, type MeterSnapshot } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { createMemberSource } from '../../../src/cluster/merge/member-source.ts'
import { imageOf, written } from './member-records.ts'

/** Returns the cells of a snapshot, as a member writes them. */
function writtenAs(snapshot: MeterSnapshot) {
  const { kind, id } = snapshot
  const tags = Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
  const naming = { tags, description: id.description, baseUnit: id.baseUnit }
  switch (snapshot.kind) {
    case 'counter':
      return written(kind, id.name, [snapshot.value], { ...naming, created: snapshot.created })
    case 'gauge':
      return written(kind, id.name, [snapshot.value], naming)
    case 'functionTimer':
      return written(kind, id.name, [snapshot.count, snapshot.total], { ...naming, created: snapshot.created })
    case 'longTaskTimer':
      return written(kind, id.name, [snapshot.duration, snapshot.max, snapshot.activeTasks], naming)
    case 'timer':
    case 'summary': {
      const { total, max, count, buckets, exponential, created } = snapshot
      const cells = [total, max, count, ...(buckets?.counts ?? [])]
      const native = exponential && [exponential.scale, exponential.zeroCount, exponential.offset]
      if (native !== undefined) cells.push(...native, exponential?.counts.length ?? 0, ...(exponential?.counts ?? []))
      const rest = { ...naming, created, ...(buckets === undefined ? {} : { bounds: buckets.bounds }) }
      return written(kind, id.name, cells, native === undefined ? rest : { ...rest, exponentialBuckets: 160 })
    }
  }
}

describe('createMemberSource', () => {
  it('has each series as the registry of the member has it', () => {
    const meters = createMeterRegistry()
    meters.counter('orders', { region: 'eu' }, { description: 'Orders' }).increment(2.5)
    meters.gauge('size', { queue: 'a' }, () => -3, { baseUnit: 'bytes' })
    meters.functionTimer('cache.gets', {}, () => ({ count: 3, total: 0.5 }))
    meters.longTaskTimer('imports').start()
    const timer = meters.timer('duration', {}, { slo: [0.5, 1], exponential: {} })
    for (const seconds of [0, 0.25, 0.75, 3]) timer.record(seconds)
    meters.summary('sizes').record(9)
    const own = [...meters.snapshot()]
    const source = createMemberSource(imageOf(own.map(writtenAs)))
    expect(source.names()).toEqual(meters.names())
    const shown = [...source.snapshot()]
    expect(shown.map(({ id }) => id)).toEqual(own.map(({ id }) => JSON.parse(JSON.stringify(id))))
    expect(shown.map(({ id: _, ...values }) => values)).toEqual(
      own.map(({ id: _, ...values }) => (values.kind === 'longTaskTimer' ? expect.anything() : values)),
    )
    expect([...source.slices(1)].flat()).toEqual(shown)
    expect([...source.snapshot('orders')]).toEqual(shown.filter(({ id }) => id.name === 'orders'))
  })

  it('has exemplars by bucket, and ids that stay the same', () => {
    const exemplar = { value: 3, traceId: 't', spanId: 's', timestamp: 1 }
    const series = [written('counter', 'c', [1]), written('timer', 'm', [3, 3, 1, 0, 1, 0], { bounds: [1, 5] })]
    const exemplars = [
      { series: 0, bucket: 0, exemplar },
      { series: 1, bucket: 1, exemplar },
      { series: 1, bucket: 7, exemplar },
      { series: 9, bucket: 1, exemplar },
    ]
    const image = imageOf([...series, undefined], { exemplars })
    const shown = [...createMemberSource(image).snapshot()]
    expect(shown).toMatchObject([{ exemplar }, { exemplars: [undefined, exemplar, undefined] }])
    expect(shown.map(({ id }) => id)).toEqual([...createMemberSource(image).snapshot()].map(({ id }) => id))
  })
})

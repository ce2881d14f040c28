import { createMeterRegistry, type SnapshotSource } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readSlices } from '../../../src/otlp/metrics/read-slices.ts'
import { createClusterExport } from '../../../src/otlp/metrics/single-writer.ts'
import { deferred } from '../../support/deferred.ts'
import { useFakeTime } from '../../support/fake-time.ts'

const clock = useFakeTime()

function createSource(refresh?: () => Promise<void>): SnapshotSource {
  const meters = createMeterRegistry({ clock })
  onTestFinished(() => meters.close())
  meters.counter('orders').increment()
  return {
    ...{
      names: () => meters.names(),
      snapshot: (name) => meters.snapshot(name),
      slices: (size) => meters.slices(size),
    },
    ...(refresh && { refresh }),
  }
}

describe('the slices of a source', () => {
  async function read(source: SnapshotSource, names: string[]): Promise<void> {
    for await (const slice of readSlices(source, clock)) names.push(...slice.map(({ id }) => id.name))
  }

  it('are read after a refresh, which leaves no timer', async () => {
    const refreshed = deferred()
    const names: string[] = []
    const done = read(
      createSource(() => refreshed.promise),
      names,
    )
    await vi.advanceTimersByTimeAsync(4_999)
    expect(names).toEqual([])
    refreshed.resolve()
    await done
    expect(names).toEqual(['orders'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are read after five seconds without a refresh that hangs', async () => {
    const names: string[] = []
    const done = read(
      createSource(() => new Promise(() => {})),
      names,
    )
    await vi.advanceTimersByTimeAsync(4_999)
    expect(names).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await done
    expect(names).toEqual(['orders'])
  })
})

describe('the export of a cluster', () => {
  function setUp(isFirst: () => boolean) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const refresh = vi.fn(async () => {})
    const measurements = createSource(refresh)
    const reports: string[] = []
    const cluster = { measurements, id: 'group-1', isFirst }
    return { ...createClusterExport(cluster, (message) => void reports.push(message)), refresh, reports }
  }

  const namesIn = ({ names, snapshot, slices }: SnapshotSource) => [
    names(),
    [...snapshot('orders')].map(({ id }) => id.name),
    [...slices()].flatMap((slice) => slice.map(({ id }) => id.name)),
  ]

  it('has the values of the group while this member is the first, and none otherwise', async () => {
    let isFirst = true
    const { source, refresh } = setUp(() => isFirst)
    expect(namesIn(source)).toEqual([['orders'], ['orders'], ['orders']])
    await source.refresh?.()
    expect(refresh).toHaveBeenCalledOnce()
    isFirst = false
    expect(namesIn(source)).toEqual([[], [], []])
    await source.refresh?.()
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('takes over each time this member becomes the first, until that is ended', () => {
    let isFirst = false
    const { watch } = setUp(() => isFirst)
    const takeOver = vi.fn()
    const end = watch(takeOver)
    for (const now of [true, true, false, true]) {
      isFirst = now
      vi.advanceTimersByTime(2_000)
    }
    expect(takeOver).toHaveBeenCalledTimes(2)
    isFirst = false
    vi.advanceTimersByTime(2_000)
    end()
    isFirst = true
    vi.advanceTimersByTime(60_000)
    expect(takeOver).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })
})

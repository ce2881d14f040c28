import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManagement, type Management } from 'upkeep'
import {
  type Cluster,
  type ClusterOptions,
  joinCluster,
  listClusters,
  type ReadClusterOptions,
  readCluster,
} from 'upkeep/cluster'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { scrape } from '../support/scrape.ts'

/** Returns a private directory for groups, until the test is over. */
async function privateDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

interface Member extends Cluster {
  readonly management: Management
}

/** Returns a management that has joined a group. Several of one process stand for those of several threads. */
function memberOf(options: ClusterOptions, metrics = {}): Member {
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'metrics', 'prometheus'],
    metrics: { runtime: false, ...metrics },
  })
  const cluster = joinCluster(management, options)
  onTestFinished(() => {
    cluster.leave()
    management.close()
  })
  return { ...cluster, management }
}

/** Returns the values of a scrape by the beginning of their lines. */
async function samples({ management }: Member, query = ''): Promise<Readonly<Record<string, number>>> {
  const { text } = await scrape(management, { query })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

describe('a group of members', () => {
  it('is shown as one by each of them', async () => {
    const directory = await privateDirectory()
    const [one, other] = [memberOf({ directory, group: 'a' }), memberOf({ directory, group: 'a' })]
    one.management.meters.counter('orders.placed').increment(2)
    other.management.meters.counter('orders.placed').increment(3)
    one.management.meters.timer('work').record(1)
    other.management.meters.timer('work').record(4)
    one.management.meters.gauge('queue', {}, () => 7)
    other.management.meters.gauge('queue', {}, () => 8)
    // What a member has not written yet is written when it is scraped itself.
    await samples(one)
    expect(await samples(other)).toMatchObject({
      orders_placed_total: 5,
      work_seconds_count: 2,
      work_seconds_sum: 5,
      work_seconds_max: 4,
      'queue{member="0"}': 7,
      'queue{member="1"}': 8,
    })
  })

  it('never shows less at one member than it has shown at another', async () => {
    const directory = await privateDirectory()
    const members = [0, 1, 2].map(() => memberOf({ directory, group: 'a' }))
    let shown = 0
    for (let round = 0; round < 60; round++) {
      const member = members[round % 3] as Member
      for (const { management } of members) management.meters.counter('orders.placed').increment()
      const { orders_placed_total: total = 0 } = await samples(member)
      expect(total).toBeGreaterThanOrEqual(shown + 1)
      shown = total
    }
  })

  it('keeps what a member has counted that has left, without its gauges', async () => {
    const directory = await privateDirectory()
    const [one, other] = [memberOf({ directory, group: 'a' }), memberOf({ directory, group: 'a' })]
    one.management.meters.counter('orders.placed').increment(2)
    one.management.meters.gauge('queue', {}, () => 7)
    other.management.meters.gauge('queue', {}, () => 8)
    one.leave()
    const after = await samples(other)
    expect(after).toMatchObject({ orders_placed_total: 2, 'queue{member="1"}': 8 })
    expect(after).not.toHaveProperty('queue{member="0"}')
    const third = memberOf({ directory, group: 'a' })
    expect(third.slot).toBe(2)
    expect(await samples(third)).toMatchObject({ orders_placed_total: 2, 'queue{member="1"}': 8 })
  })

  it('begins with zeros when all its members have left', async () => {
    const directory = await privateDirectory()
    const before = memberOf({ directory, group: 'a' })
    before.management.meters.counter('orders.placed').increment(2)
    before.leave()
    const after = memberOf({ directory, group: 'a' })
    after.management.meters.counter('orders.placed').increment()
    expect(await samples(after)).toMatchObject({ orders_placed_total: 1 })
  })

  it('of one member shows what the member shows without it, percentiles too', async () => {
    const directory = await privateDirectory()
    const only = memberOf({ directory, group: 'a' })
    only.management.meters.timer('work', {}, { percentiles: [0.5] }).record(1)
    expect(await samples(only)).toHaveProperty('work_seconds{quantile="0.5"}')
    memberOf({ directory, group: 'a' })
    expect(await samples(only)).not.toHaveProperty('work_seconds{quantile="0.5"}')
  })

  it('can be narrowed to one member', async () => {
    const directory = await privateDirectory()
    const [one, other] = [memberOf({ directory, group: 'a' }), memberOf({ directory, group: 'a' })]
    one.management.meters.counter('orders.placed').increment(2)
    other.management.meters.counter('orders.placed').increment(3)
    await samples(one)
    expect(await samples(other, '?member=0')).toMatchObject({ orders_placed_total: 2 })
    expect(await samples(other, '?member=1')).toMatchObject({ orders_placed_total: 3 })
  })

  it('does not mix with a group of another name', async () => {
    const directory = await privateDirectory()
    const [one, other] = [memberOf({ directory, group: 'a' }), memberOf({ directory, group: 'b' })]
    one.management.meters.counter('orders.placed').increment(2)
    other.management.meters.counter('orders.placed').increment(3)
    await samples(one)
    expect(await samples(other)).toMatchObject({ orders_placed_total: 3 })
    expect(one.id).not.toBe(other.id)
  })

  it('is found without a name by members of one process', async () => {
    const directory = await privateDirectory()
    expect(memberOf({ directory }).id).toBe(memberOf({ directory }).id)
  })

  it('has the series of other sources as well', async () => {
    const directory = await privateDirectory()
    const library = createManagement({ metrics: { runtime: false } }).meters
    library.counter('library.calls').increment(4)
    const one = memberOf({ directory, group: 'a' }, { sources: [library] })
    const other = memberOf({ directory, group: 'a' })
    await samples(one)
    expect(await samples(other)).toMatchObject({ library_calls_total: 4 })
  })
})

describe('the directory of groups', () => {
  /** Long enough for what a group has left to be removed. */
  const longAgo = new Date(Date.now() - 3_600_000)

  async function age(path: string): Promise<void> {
    for (const name of await readdir(path)) await utimes(join(path, name), longAgo, longAgo)
    await utimes(path, longAgo, longAgo)
  }

  it('keeps what is not of a group, and is not shown as one', async () => {
    const directory = await privateDirectory()
    const foreign = join(directory, 'keys')
    await mkdir(foreign, { mode: 0o700 })
    await writeFile(join(foreign, 'id_ed25519'), 'secret')
    await age(foreign)
    const member = memberOf({ directory, group: 'a' })
    expect(await readFile(join(foreign, 'id_ed25519'), 'utf8')).toBe('secret')
    expect(listClusters({ directory }).map(({ id }) => id)).toEqual([member.id])
  })

  it('loses a group that ended long ago, but no file in it that is not of a group', async () => {
    const directory = await privateDirectory()
    for (const group of ['ended', 'mixed']) memberOf({ directory, group }).leave()
    const [ended, mixed] = [join(directory, 'group-ended'), join(directory, 'group-mixed')]
    await writeFile(join(mixed, 'notes'), 'kept')
    for (const path of [ended, mixed]) await age(path)
    memberOf({ directory, group: 'a' })
    await expect(stat(ended)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(mixed)).toEqual(['notes'])
  })

  it('keeps a group whose members write a format of another version', async () => {
    const directory = await privateDirectory()
    memberOf({ directory, group: 'newer' }).leave()
    const path = join(directory, 'group-newer')
    const file = join(path, '0.member')
    const bytes = await readFile(file)
    bytes.fill(0xff, 0, 64)
    await writeFile(file, bytes)
    await age(path)
    // Its member has written just now; the directory does not change with that.
    await utimes(file, new Date(), new Date())
    await utimes(path, longAgo, longAgo)
    memberOf({ directory, group: 'a' })
    expect((await stat(file)).size).toBe(bytes.length)
  })

  it('keeps a group that ended a short time ago', async () => {
    const directory = await privateDirectory()
    const before = memberOf({ directory, group: 'ended' })
    before.leave()
    memberOf({ directory, group: 'a' })
    expect(listClusters({ directory }).map(({ id }) => id)).toContain(before.id)
  })
})

describe('a reader', () => {
  it('reads a group without being a member', async () => {
    const directory = await privateDirectory()
    const member = memberOf({ directory, group: 'a' })
    member.management.meters.counter('orders.placed').increment(2)
    await samples(member)
    const reader = readCluster({ directory, group: 'a' })
    await reader.measurements.refresh?.()
    expect([...reader.measurements.snapshot('orders.placed')]).toMatchObject([{ kind: 'counter', value: 2 }])
    expect(reader.members()).toMatchObject([{ identity: { slot: 0, pid: process.pid }, isAlive: true }])
    expect(listClusters({ directory })).toMatchObject([{ id: member.id, members: [{ identity: { slot: 0 } }] }])
  })

  it('merges gauges as the members have declared, unless it has rules of its own', async () => {
    const directory = await privateDirectory()
    for (const size of [3, 4]) {
      const member = memberOf({ directory, group: 'a', gauges: { 'queue.size': 'sum', 'config.age': 'max' } })
      member.management.meters.gauge('queue.size', {}, () => size)
      member.management.meters.gauge('config.age', {}, () => size)
      member.management.meters.gauge('other', {}, () => size)
      await samples(member)
    }
    const read = async (options: ReadClusterOptions) => {
      const { measurements } = readCluster({ directory, group: 'a', ...options })
      await measurements.refresh?.()
      const gauges = ['queue.size', 'config.age', 'other'].flatMap((name) => [...measurements.snapshot(name)])
      return gauges.map((gauge) => [gauge.id.name, gauge.kind === 'gauge' && gauge.value])
    }
    const others = [
      ['other', 3],
      ['other', 4],
    ]
    expect(await read({})).toEqual([['queue.size', 7], ['config.age', 4], ...others])
    expect(await read({ gauges: { 'config.age': 'min' } })).toEqual([['queue.size', 7], ['config.age', 3], ...others])
  })

  it('names the groups that exist if it is asked for another one', async () => {
    const directory = await privateDirectory()
    memberOf({ directory, group: 'a' })
    expect(() => readCluster({ directory, group: 'b' })).toThrow(
      'readCluster: group: there is no group "b"; the groups of this user are group-a',
    )
  })
})

describe('a member', () => {
  it('goes on alone, with one report, where the files cannot be used', async () => {
    const directory = await privateDirectory()
    await writeFile(join(directory, 'file'), '')
    const report = vi.fn()
    const member = memberOf({ directory: join(directory, 'file'), group: 'a', report })
    member.management.meters.counter('orders.placed').increment(2)
    expect(await samples(member)).toMatchObject({ orders_placed_total: 2 })
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('goes on alone in a directory that others can use', async () => {
    const directory = await privateDirectory()
    await chmod(directory, 0o777)
    const report = vi.fn()
    memberOf({ directory, group: 'a', report })
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('joins once', async () => {
    const directory = await privateDirectory()
    const { management } = memberOf({ directory, group: 'a' })
    expect(() => joinCluster(management, { directory, group: 'a' })).toThrow(/already joined/)
  })

  it.each([
    [{ group: '' }, 'group: expected a non-empty string, received ""'],
    [{ gauges: { queue: 'average' } }, 'gauges.queue: expected one of sum, max, min, last, each, received "average"'],
    [{ health: { ready: 'some' } }, "health.ready: expected 'any', 'all' or { atLeast: number }, received \"some\""],
    [{ maximumSeriesPerMeter: 0 }, 'maximumSeriesPerMeter: expected a whole number of 1 or more, received 0'],
    [{ gruop: 'a' }, 'unknown option "gruop"; did you mean "group"?'],
  ])('rejects the options %j', (options, message) => {
    const management = createManagement({ metrics: { runtime: false } })
    onTestFinished(management.close)
    expect(() => joinCluster(management, options as ClusterOptions)).toThrow(`joinCluster: ${message}`)
  })

  it('rejects what is not a management', () => {
    expect(() => joinCluster({} as Management)).toThrow(
      'joinCluster: management: expected the result of createManagement, received an object',
    )
  })
})

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCluster } from 'upkeep/cluster'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type MemberProcess, startGroup, startMember } from './start-member.ts'

function aliveSlots(directory: string): () => Promise<readonly number[]> {
  const reader = readCluster({ directory, group: 'members' })
  return async () => {
    await reader.measurements.refresh?.()
    return reader.members().flatMap(({ isAlive, identity }) => (isAlive ? [identity.slot] : []))
  }
}

describe('a group of processes', () => {
  it('keeps what a killed process has counted, and gives its slot to the next one', async () => {
    const { directory, members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 2 })
    await other.send({ command: 'count', amount: 3 })
    await expect.poll(async () => (await one.scrape())['orders_placed_total']).toBe(5)
    await other.child.kill()
    expect((await one.scrape())['orders_placed_total']).toBe(5)
    const third = await startMember(directory)
    onTestFinished(() => third.child.kill())
    expect(third.slot).toBe(1)
    await third.send({ command: 'count', amount: 10 })
    expect((await third.scrape())['orders_placed_total']).toBe(15)
    const samples = await one.scrape()
    const uptimeOf = (slot: number) => samples[`process_uptime_seconds{member="${slot}"}`]
    expect(uptimeOf(1)).toBeLessThan(uptimeOf(0) ?? 0)
  })

  it('responds without waiting for a process whose event loop is blocked, and shows it as stale', async () => {
    const { members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await other.send({ command: 'count', amount: 3 })
    await expect.poll(async () => (await one.scrape())['orders_placed_total']).toBe(3)
    await other.send({ command: 'block' })
    await expect.poll(async () => (await one.scrape())['upkeep_cluster_stale']).toBe(1)
    expect(await one.scrape()).toMatchObject({ orders_placed_total: 3, upkeep_cluster_members: 2 })
  })

  it('keeps what a thread has counted that is terminated or blocked', async () => {
    const { directory, members } = await startGroup({ THREADS: '2' }, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 10, thread: 0 })
    await one.send({ command: 'count', amount: 100, thread: 1 })
    await expect.poll(async () => (await other.scrape())['orders_placed_total']).toBe(110)
    const before = (await other.scrape())['process_cpu_time_ns_total'] as number
    await one.send({ command: 'block', thread: 1 })
    await one.send({ command: 'terminate', thread: 0 })
    await expect.poll(aliveSlots(directory)).toHaveLength(3)
    expect((await other.scrape())['orders_placed_total']).toBe(110)
    // The processor time of a process is not counted again for a thread that has ended.
    const after = (await other.scrape())['process_cpu_time_ns_total'] as number
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(before + 60e9)
  })
})

const canMount = (() => {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!canMount)('a member whose disk is full', () => {
  it('reports it once, shows its own values, and continues to write when there is space again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const script = `mount -t tmpfs -o size=1m,mode=700 none ${directory} && exec "$@"`
    const member = await startMember(directory, { runBy: ['unshare', '-rm', 'sh', '-c', script, 'sh'] })
    onTestFinished(() => member.child.kill())
    await member.send({ command: 'count', amount: 1 })
    await member.send({ command: 'define', amount: 5_000 })
    const reported = /^report: joinCluster: the values of this member cannot be written/
    await member.child.out.line(reported)
    await member.send({ command: 'count', amount: 1 })
    const samples = await member.scrape()
    expect(samples['orders_placed_total']).toBe(2)
    expect(Object.keys(samples).filter((name) => name.startsWith('defined_'))).toHaveLength(5_000)
    expect(member.child.out.lines.filter((line) => reported.test(line))).toHaveLength(1)
  })
})

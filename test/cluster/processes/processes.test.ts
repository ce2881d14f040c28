import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listClusters, readCluster } from 'upkeep/cluster'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { type MemberProcess, startMember } from './start-member.ts'

const patiently = { timeout: 10_000, interval: 50 }

async function startGroup(
  ...environments: readonly NodeJS.ProcessEnv[]
): Promise<{ readonly directory: string; readonly members: readonly MemberProcess[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  const members: MemberProcess[] = []
  onTestFinished(async () => {
    for (const { child } of members) await child.kill()
    await rm(directory, { recursive: true, force: true })
  })
  for (const env of environments) members.push(await startMember(directory, { env }))
  return { directory, members }
}

function aliveSlots(directory: string): () => Promise<readonly number[]> {
  const reader = readCluster({ directory, group: 'members' })
  return async () => {
    await reader.measurements.refresh?.()
    return reader.members().flatMap(({ isAlive, identity }) => (isAlive ? [identity.slot] : []))
  }
}

describe('a group of processes', { timeout: 60_000 }, () => {
  it('keeps what a killed process has counted, and gives its slot to the next one', async () => {
    const { directory, members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 2 })
    await other.send({ command: 'count', amount: 3 })
    await expect.poll(async () => (await one.scrape())['orders_placed_total'], patiently).toBe(5)
    await other.child.kill()
    expect((await one.scrape())['orders_placed_total']).toBe(5)
    const third = await startMember(directory)
    onTestFinished(() => third.child.kill())
    expect(third.slot).toBe(1)
    await third.send({ command: 'count', amount: 10 })
    expect((await third.scrape())['orders_placed_total']).toBe(15)
    expect((await one.scrape())['process_uptime_seconds{member="1"}']).toBeLessThan(60)
  })

  it('has all that a process counted before it exits by itself', async () => {
    const { members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await other.send({ command: 'count', amount: 3 })
    await other.send({ command: 'exit' })
    expect((await one.scrape())['orders_placed_total']).toBe(3)
  })

  it('responds without waiting for a process whose event loop is blocked, and shows it as stale', async () => {
    const { members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await other.send({ command: 'count', amount: 3 })
    await expect.poll(async () => (await one.scrape())['orders_placed_total'], patiently).toBe(3)
    await other.send({ command: 'block' })
    await expect.poll(async () => (await one.scrape())['upkeep_cluster_stale'], patiently).toBe(1)
    expect(await one.scrape()).toMatchObject({ orders_placed_total: 3, upkeep_cluster_members: 2 })
  })

  it('adds the threads of a process up, and its memory once', async () => {
    const { members } = await startGroup({ THREADS: '2' }, { THREADS: '1' })
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 1 })
    await one.send({ command: 'count', amount: 10, thread: 0 })
    await one.send({ command: 'count', amount: 100, thread: 1 })
    await other.send({ command: 'count', amount: 1_000, thread: 0 })
    await expect.poll(async () => (await other.scrape())['orders_placed_total'], patiently).toBe(1_111)
    const samples = Object.keys(await other.scrape())
    const ofHeap = samples.filter((name) => /^jvm_memory_used_bytes\{.*old_space/.test(name))
    const ofProcess = samples.filter((name) => name.startsWith('process_uptime_seconds'))
    expect([ofHeap.length, ofProcess.length]).toEqual([5, 2])
  })

  it('keeps what a thread has counted that is terminated or blocked', async () => {
    const { directory, members } = await startGroup({ THREADS: '2' }, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 10, thread: 0 })
    await one.send({ command: 'count', amount: 100, thread: 1 })
    await expect.poll(async () => (await other.scrape())['orders_placed_total'], patiently).toBe(110)
    const before = (await other.scrape())['process_cpu_time_ns_total'] as number
    await one.send({ command: 'block', thread: 1 })
    await one.send({ command: 'terminate', thread: 0 })
    await expect.poll(aliveSlots(directory), patiently).toHaveLength(3)
    expect((await other.scrape())['orders_placed_total']).toBe(110)
    // The processor time of a process is not counted again for a thread that has ended.
    const after = (await other.scrape())['process_cpu_time_ns_total'] as number
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(before + 60e9)
  })
})

describe('two applications of one user', { timeout: 60_000 }, () => {
  it('beside each other are two groups, each of its own processes', async () => {
    const { directory, members } = await startGroup(
      { GROUP: '', APPLICATION: 'orders' },
      { GROUP: '', APPLICATION: 'orders' },
      { GROUP: '', APPLICATION: 'payments' },
    )
    const [one, other, foreign] = members as [MemberProcess, MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 1 })
    await other.send({ command: 'count', amount: 10 })
    await foreign.send({ command: 'count', amount: 100 })
    await expect.poll(async () => (await one.scrape())['orders_placed_total'], patiently).toBe(11)
    expect((await foreign.scrape())['orders_placed_total']).toBe(100)
    const groups = listClusters({ directory })
    expect(groups.map((group) => group.members.length).sort()).toEqual([1, 2])
  })
})

describeProgram({ program: 'promtool', debian: 'prometheus' }, (promtool) => {
  it('finds nothing to complain about in the page of several processes', async () => {
    const { members } = await startGroup({ THREADS: '1' }, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 1, thread: 0 })
    await expect.poll(async () => (await other.scrape())['orders_placed_total'], patiently).toBe(1)
    const page = await other.page()
    expect(page).toContain('member="2"')
    // Spring Boot's names, of which it says the same without a cluster.
    const input = page.replaceAll(/^.*(system_cpu_count|process_cpu_time_ns).*\n/gm, '')
    const { status, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
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

describe.skipIf(!canMount)('a member whose disk is full', { timeout: 60_000 }, () => {
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

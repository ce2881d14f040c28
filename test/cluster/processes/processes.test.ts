import { spawnSync } from 'node:child_process'
import { listClusters } from 'upkeep/cluster'
import { describe, expect, it } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { type MemberProcess, startGroup } from './start-member.ts'

describe('a group of processes', () => {
  it('has all that a process counted before it exits by itself', async () => {
    const { members } = await startGroup({}, {})
    const [one, other] = members as [MemberProcess, MemberProcess]
    await other.send({ command: 'count', amount: 3 })
    await other.send({ command: 'exit' })
    expect((await one.scrape())['orders_placed_total']).toBe(3)
  })

  it('adds the threads of a process up, and its memory once', async () => {
    const { members } = await startGroup({ THREADS: '2' }, { THREADS: '1' })
    const [one, other] = members as [MemberProcess, MemberProcess]
    await one.send({ command: 'count', amount: 1 })
    await one.send({ command: 'count', amount: 10, thread: 0 })
    await one.send({ command: 'count', amount: 100, thread: 1 })
    await other.send({ command: 'count', amount: 1_000, thread: 0 })
    await expect.poll(async () => (await other.scrape())['orders_placed_total']).toBe(1_111)
    const samples = Object.keys(await other.scrape())
    const ofHeap = samples.filter((name) => /^jvm_memory_used_bytes\{.*old_space/.test(name))
    const ofProcess = samples.filter((name) => name.startsWith('process_uptime_seconds'))
    expect([ofHeap.length, ofProcess.length]).toEqual([5, 2])
  })
})

describe('two applications of one user', () => {
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
    await expect.poll(async () => (await one.scrape())['orders_placed_total']).toBe(11)
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
    await expect.poll(async () => (await other.scrape())['orders_placed_total']).toBe(1)
    const page = await other.page()
    expect(page).toContain('member="2"')
    // Spring Boot's names, of which it says the same without a cluster.
    const input = page.replaceAll(/^.*(system_cpu_count|process_cpu_time_ns).*\n/gm, '')
    const { status, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

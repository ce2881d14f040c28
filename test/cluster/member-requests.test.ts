import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ClusterCommand } from '../../src/cluster/cluster-host.ts'
import { RequestFiles } from '../../src/cluster/files/request-files.ts'
import { createMemberRequests } from '../../src/cluster/member-requests.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'

const isGone = () => false

/** Returns the files of two members of a group, and what was reported. */
function open(clock = systemClock) {
  const directory = newDirectory()
  joinGroup(openTestGroup(directory))
  const reports: string[] = []
  const create = () => {
    const files = new RequestFiles(directory, clock, (message, error) => void reports.push(`${message}: ${error}`))
    onTestFinished(() => files.stop())
    return files
  }
  return { directory, requests: join(directory, 'requests'), reports, one: create(), other: create() }
}

describe('a request to a member', () => {
  it('has the response of that member, whichever comes first', async () => {
    const { one, other, requests } = open()
    other.serve(2, Number.POSITIVE_INFINITY, async (request) => `response to ${request}`)
    const sent = ['a', 'b', 'ü'].map((request) => one.send(2, request, 60_000, isGone))
    expect(await Promise.all(sent)).toEqual(['a', 'b', 'ü'].map((request) => ({ text: `response to ${request}` })))
    expect(readdirSync(requests)).toEqual([])
  })

  it('is not responded to by a member of another slot, or one for which none was announced', async () => {
    const { one, other, requests } = open()
    other.serve(1, Number.POSITIVE_INFINITY, async () => 'wrong')
    let looked = 0
    const sent = one.send(2, 'a', 60_000, () => {
      looked += 1
      return looked === 5
    })
    expect(readdirSync(requests)).toHaveLength(1)
    expect(await sent).toBe('gone')
    expect(readdirSync(requests)).toEqual([])
  })

  it('ends after its time', async () => {
    const clock = createManualClock()
    const { one, requests } = open(clock)
    const sent = one.send(2, 'a', 3_000, () => {
      clock.advance(1_000)
      return false
    })
    expect(await sent).toBe('timeout')
    expect(readdirSync(requests)).toEqual([])
  })

  it('has no response that is too large, which is reported', async () => {
    const { one, other, reports } = open()
    other.serve(2, Number.POSITIVE_INFINITY, async () => 'x'.repeat(16 * 1_024 * 1_024 + 1))
    expect(await one.send(2, 'a', 60_000, () => reports.length > 0)).toBe('gone')
    expect(reports).toEqual([
      'cluster: failed to respond to the request of a member: Error: a response of 16777217 bytes is too large',
    ])
  })

  it('is removed a minute after its sender was killed', () => {
    const { directory, requests, one } = open()
    mkdirSync(requests, { mode: 0o700 })
    const [old, young] = ['0', '1'].map((digit) => join(requests, `${digit.repeat(24)}.response`)) as [string, string]
    for (const path of [old, young]) writeFileSync(path, '')
    utimesSync(old, 1, 1)
    one.serve(2, 0, async () => '')
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    joinGroup(openTestGroup(directory))
  })
})

describe('requests to members', () => {
  /** The requests of a member 0 to a member 1, whose files are not read. */
  function start() {
    const clock = createManualClock()
    const directory = newDirectory()
    const group = openTestGroup(directory)
    for (const member of [joinGroup(group), joinGroup(group)]) member.heartbeat()
    const commands: ClusterCommand[] = []
    const requests = createMemberRequests({
      files: new RequestFiles(directory, clock, () => {}),
      host: { respond: async () => '' },
      slot: 0,
      members: () => group.read().members,
      broadcast: (command) => void commands.push(command),
      clock,
    })
    const send = (slot: number) => requests.send(slot, 'a', 0)
    return { clock, commands, requests, send }
  }

  it('are announced once, and again while they go on', async () => {
    const { clock, commands, send } = start()
    const until = () => commands.map((command) => command.kind === 'requests' && command.until)
    for (let at = 0; at < 3; at += 1) expect(await send(1)).toBe('timeout')
    expect(commands).toMatchObject([{ kind: 'requests', slots: [1] }])
    clock.advance(31_000)
    await send(1)
    await send(1)
    expect(until()).toEqual([60_000, 91_000].map((time) => time + (clock.wallTime() - 31_000)))
  })

  it('are not announced where another member has done so', async () => {
    const { clock, commands, requests, send } = start()
    requests.serve({ kind: 'requests', until: clock.wallTime() + 60_000, slots: [1] })
    await send(1)
    expect(commands).toEqual([])
  })

  it('are not sent to a member that does not exist', async () => {
    const { commands, send } = start()
    expect(await send(7)).toBe('gone')
    expect(commands).toEqual([])
  })
})

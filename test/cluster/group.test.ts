import { describe, expect, it } from 'vitest'
import { counter, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { accepting, valuesOf } from './merge-cells.ts'

describe('a group', () => {
  it('shows the values that its members have committed', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    const member = joinGroup(group)
    const index = member.define(counter('a')) ?? -1
    member.cells[member.placeOf(index)] = 7
    member.commit(accepting)
    const { members, base, refused } = openTestGroup(directory).read()
    expect({ base, refused }).toEqual({ base: undefined, refused: [] })
    expect(members).toMatchObject([{ identity: { slot: 0, pid: process.pid }, isAlive: true, isProcessAlive: true }])
    expect(members.map(({ image }) => valuesOf(image))).toEqual([{ a: [7] }])
  })

  it('folds members that have left into the base, and uses their slots again', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    const first = joinGroup(group)
    const second = joinGroup(openTestGroup(directory))
    first.cells[first.placeOf(first.define(counter('a')) ?? -1)] = 7
    first.leave(accepting)
    const third = joinGroup(openTestGroup(directory))
    expect([second.identity.slot, third.identity.slot]).toEqual([1, 0])
    const { members, base } = group.read()
    expect(members.map(({ identity }) => identity.slot)).toEqual([0, 1])
    expect(base && valuesOf(base)).toEqual({ a: [7] })
  })

  it('begins anew when no member is alive', () => {
    const directory = newDirectory()
    const first = joinGroup(openTestGroup(directory))
    first.cells[first.placeOf(first.define(counter('a')) ?? -1)] = 7
    first.leave(accepting)
    joinGroup(openTestGroup(directory))
    const { members, base } = openTestGroup(directory).read()
    expect({ base, values: members.map(({ image }) => valuesOf(image)) }).toEqual({ base: undefined, values: [{}] })
  })
})

describe('commands', () => {
  it('reach all members once, and log levels those that join later too', () => {
    const directory = newDirectory()
    const [one, two] = [openTestGroup(directory), openTestGroup(directory)]
    joinGroup(one)
    joinGroup(two)
    expect(one.commands.poll()).toEqual([])
    const debug = { kind: 'log-level', logger: 'a', level: 'debug', until: undefined } as const
    two.commands.append(debug)
    two.commands.append({ kind: 'shutdown', reason: 'test', slots: [0] })
    const sent = [debug, { kind: 'shutdown', reason: 'test', slots: [0] }]
    expect([one.commands.poll(), two.commands.poll()]).toEqual([sent, sent])
    expect([one.commands.poll(), two.commands.poll()]).toEqual([[], []])
    const three = openTestGroup(directory)
    joinGroup(three)
    expect([three.commands.poll(), three.commands.poll()]).toEqual([[debug], []])
  })
})

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReadingDepth } from '../../src/cluster/files/file-reader.ts'
import type { MemberState } from '../../src/cluster/member-image.ts'
import { counter, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { accepting, addCells, valuesOf } from './merge-cells.ts'

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

  it('shows the state of a member without its values being read again, if they were read before', () => {
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory))
    const place = member.placeOf(member.define(counter('a')) ?? -1)
    const set = (value: number, readiness: MemberState['readiness']) => {
      member.cells[place] = value
      member.commit({ ...accepting, readiness })
    }
    const reader = openTestGroup(directory)
    const read = (depth: ReadingDepth) => {
      const reading = reader.reading(depth)
      let step = reading.next()
      while (!step.done) step = reading.next()
      return step.value.members.map(({ image, state }) => [valuesOf(image), state.readiness])
    }
    set(7, 'ACCEPTING_TRAFFIC')
    expect(read('state')).toEqual([[{ a: [7] }, 'ACCEPTING_TRAFFIC']])
    set(8, 'REFUSING_TRAFFIC')
    expect(read('state')).toEqual([[{ a: [7] }, 'REFUSING_TRAFFIC']])
    expect(read('values')).toEqual([[{ a: [8] }, 'REFUSING_TRAFFIC']])
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

  it('counts a member once whose file was not removed when it was folded', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    joinGroup(group)
    const ended = joinGroup(openTestGroup(directory))
    ended.cells[ended.placeOf(ended.define(counter('a')) ?? -1)] = 7
    ended.leave(accepting)
    const file = join(directory, '1.member')
    const bytes = readFileSync(file)
    for (let round = 0; round < 3; round++) {
      expect(group.foldDead(addCells)).toBe(round === 0 ? 1 : 0)
      expect(existsSync(file)).toBe(false)
      writeFileSync(file, bytes, { mode: 0o600 })
      const { members, base } = group.read()
      expect(members.map(({ identity }) => identity.slot)).toEqual([0])
      expect(base && valuesOf(base)).toEqual({ a: [7] })
    }
  })

  it('loses nothing when members cannot be merged', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    joinGroup(group)
    const ended = joinGroup(openTestGroup(directory))
    ended.cells[ended.placeOf(ended.define(counter('a')) ?? -1)] = 7
    ended.leave(accepting)
    const fail = () => {
      throw new Error('not merged')
    }
    expect(() => group.foldDead(fail)).toThrow('not merged')
    const reports: string[] = []
    const joining = openTestGroup(directory, { report: (message) => void reports.push(message) })
    expect(joinGroup(joining, { merge: fail }).identity.slot).toBe(2)
    expect(reports).toEqual([`cluster: failed to merge ended members in ${directory}`])
    expect(group.foldDead(addCells)).toBe(1)
    expect(valuesOf(group.read().base ?? ended.image())).toEqual({ a: [7] })
  })

  it('is read to the end although members leave and are folded between the pauses', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    joinGroup(group)
    const ending = joinGroup(openTestGroup(directory))
    ending.cells[ending.placeOf(ending.define(counter('a')) ?? -1)] = 7
    ending.commit(accepting)
    const reader = openTestGroup(directory)
    for (let pauses = 0; pauses < 4; pauses++) {
      const steps = reader.reading()
      let step = steps.next()
      for (let pause = 1; pause < pauses && step.done !== true; pause++) step = steps.next()
      if (pauses === 1) ending.leave(accepting)
      if (pauses === 2) group.foldDead(addCells)
      while (step.done !== true) step = steps.next()
      const { members, base } = step.value
      const images = [...members.map(({ image }) => image), ...(base === undefined ? [] : [base])]
      expect(images.map(valuesOf).filter(({ a }) => a !== undefined)).toEqual([{ a: [7] }])
    }
  })

  it('is joined again when someone has removed its directory', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    joinGroup(group)
    rmSync(directory, { recursive: true })
    expect(group.read()).toEqual({ members: [], base: undefined, refused: [] })
    expect(group.foldDead.bind(group, addCells)).toThrow('ENOENT')
    expect(joinGroup(group).identity.slot).toBe(0)
  })
})

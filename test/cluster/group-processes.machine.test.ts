import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MemberImage } from '../../src/cluster/member-image.ts'
import { type Child, startChild } from '../support/child.ts'
import { bundleProgram, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { addCells, valuesOf } from './merge-cells.ts'

const program = await bundleProgram()

function start(mode: string, directory: string): Child {
  const child = startChild(process.execPath, [program, mode, directory])
  onTestFinished(() => child.kill())
  return child
}

/** A reader that waits for a processor can be overtaken each time, as this writer never pauses. */
const overtaken = { file: '1.member', reason: 'the checksum of the values does not match' }

describe('a process that is killed while it writes', () => {
  it('leaves the values of a commit, whole, and not less than any reader saw', async () => {
    const directory = newDirectory()
    joinGroup(openTestGroup(directory))
    const group = openTestGroup(directory)
    let folded = 0
    for (let round = 1; round <= 12; round++) {
      const writer = start('write', directory)
      let seen = 0
      const stop = new AbortController()
      const read = async () => {
        while (!stop.signal.aborted) {
          seen = readAtLeast(seen, [[], [overtaken]])
          await setImmediate()
        }
      }
      const write = async () => {
        await writer.out.line(/committed/, round * 3)
        await writer.kill()
        stop.abort()
      }
      await Promise.all([read(), write()])
      const last = readAtLeast(seen, [[]])
      const committed = Math.max(...writer.out.lines.map((line) => Number(line.split(' ')[1])))
      expect(last).toBeGreaterThanOrEqual(committed)
      expect(group.foldDead(addCells)).toBe(1)
      folded += last
      const { members, base, refused } = group.read()
      expect({ refused, slots: members.map(({ identity }) => identity.slot) }).toEqual({ refused: [], slots: [0] })
      expect(base && valuesOf(base)['c0']).toEqual([folded, folded, folded])
    }

    /** Returns the value of the writer, which all its series have. */
    function readAtLeast(before: number, expectedRefusals: readonly unknown[]): number {
      const { members, refused } = group.read()
      expect(expectedRefusals).toContainEqual(refused)
      const image = members.find(({ identity }) => identity.slot === 1)?.image
      const value = image === undefined ? before : commonValue(image)
      expect(value).toBeGreaterThanOrEqual(before)
      return value
    }
  }, 120_000)
})

function commonValue({ cells }: MemberImage): number {
  const value = cells[0] ?? 0
  expect(cells.every((cell) => cell === value)).toBe(true)
  return value
}

describe('processes and threads that join at once', () => {
  it('have different slots, the lowest that are free', async () => {
    const directory = newDirectory()
    const joining: Child[] = []
    const lines: string[] = []
    // Not all 100 at a time: two processors would be busy with starting them, and none would wait for the lock.
    for (let round = 0; round < 5; round++) {
      const children = Array.from({ length: 5 }, () => start('join', directory))
      const joined = children.flatMap((child) => [1, 2, 3, 4].map((nth) => child.out.line(/^slot \d+$/, nth)))
      lines.push(...(await Promise.all(joined)))
      joining.push(...children)
    }
    expect(joining.flatMap(({ err }) => err.lines)).toEqual([])
    const slots = lines.map((line) => Number(line.slice(5))).sort((a, b) => a - b)
    expect(slots).toEqual(Array.from({ length: 100 }, (_, slot) => slot))
    const { members, refused } = openTestGroup(directory).read()
    expect(refused).toEqual([])
    expect(members.filter(({ isAlive }) => isAlive)).toHaveLength(100)
    expect(new Set(members.map(({ identity }) => identity.incarnation)).size).toBe(100)
    expect(members.filter(({ identity }) => identity.threadId === 0)).toHaveLength(25)
    for (const child of joining) child.process.stdin?.end()
    await Promise.all(joining.map(({ ended }) => ended))
    expect(
      openTestGroup(directory)
        .read()
        .members.filter(({ isAlive }) => isAlive),
    ).toEqual([])
    expect(joinGroup(openTestGroup(directory)).identity.slot).toBe(0)
  }, 240_000)
})

describe('the lock', () => {
  it('is held by one process at a time, and by none that was killed', async () => {
    const directory = newDirectory()
    mkdirSync(directory, { mode: 0o700 })
    const others = [start('lock', directory), start('lock', directory)]
    const killed = []
    for (let round = 1; round <= 10; round++) {
      const child = start('lock', directory)
      await child.out.line(/count/, round)
      await child.kill()
      killed.push(child)
    }
    const counts = others.map(({ out }) => out.lines.length)
    await Promise.all(others.map(({ out }, at) => out.line(/count/, (counts[at] ?? 0) + 5)))
    await Promise.all(others.map((child) => child.kill()))
    const lines = [...others, ...killed].flatMap(({ out }) => out.lines)
    expect(lines.filter((line) => !/^count \d+$/.test(line))).toEqual([])
    // No two had the same number; one is missing where a process was killed between the count and its line.
    expect(new Set(lines).size).toBe(lines.length)
    const count = Number(readFileSync(join(directory, 'count'), 'utf8'))
    expect(count - lines.length).toBeGreaterThanOrEqual(0)
    expect(count - lines.length).toBeLessThanOrEqual(12)
    expect(readdirSync(directory).filter((name) => name.startsWith('lock-')).length).toBeLessThan(20)
  }, 120_000)
})

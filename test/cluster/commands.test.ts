import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClusterCommand } from '../../src/cluster/cluster-host.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'

const level = (logger: string, name: string | undefined, until?: number): ClusterCommand => ({
  kind: 'log-level',
  logger,
  level: name,
  until,
})

describe('commands of a group', () => {
  it('leave a member that joins later the levels that are in force, of all members', () => {
    const directory = newDirectory()
    const clock = createManualClock()
    const group = openTestGroup(directory, { clock })
    joinGroup(group)
    const sent = [
      level('kept', 'info'),
      level('kept', 'debug'),
      level('removed', 'debug'),
      level('removed', undefined),
      level('ended', 'debug', 500),
      level('ending', 'debug', 5000),
      { ...level('one', 'debug'), slots: [0] },
      { kind: 'shutdown', reason: 'test' } as const,
    ]
    for (const command of sent) group.commands.append(command)
    clock.advance(1000)
    const later = openTestGroup(directory, { clock })
    joinGroup(later)
    group.commands.append({ kind: 'shutdown', reason: 'again' })
    expect(later.commands.poll()).toEqual([
      level('kept', 'debug'),
      level('ending', 'debug', 5000),
      { kind: 'shutdown', reason: 'again' },
    ])
    expect(later.commands.poll()).toEqual([])
  })

  it('reach all members once, in order', () => {
    const directory = newDirectory()
    const groups = [openTestGroup(directory), openTestGroup(directory)]
    for (const group of groups) joinGroup(group)
    const sent = [level('a', 'debug'), { kind: 'shutdown', reason: 'test', slots: [0] } as const]
    for (const command of sent) groups[1]?.commands.append(command)
    expect(groups.map(({ commands }) => commands.poll())).toEqual([sent, sent])
    expect(groups.map(({ commands }) => commands.poll())).toEqual([[], []])
  })

  it('end with the group', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    const member = joinGroup(group)
    group.commands.append(level('a', 'debug'))
    member.leave({ readiness: 'REFUSING_TRAFFIC', liveness: 'CORRECT', isFinal: true })
    const next = openTestGroup(directory)
    joinGroup(next)
    expect(existsSync(join(directory, 'commands'))).toBe(false)
    expect(next.commands.poll()).toEqual([])
    group.commands.append(level('b', 'debug'))
    expect(next.commands.poll()).toEqual([level('b', 'debug')])
  })

  it('are bounded: the oldest is left out', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory)
    joinGroup(group)
    const numbered = Array.from({ length: 1000 }, (_, at) => ({ number: at + 1, command: level(`l${at}`, 'debug') }))
    writeFileSync(join(directory, 'commands'), JSON.stringify(numbered), { mode: 0o600 })
    group.commands.append(level('last', 'debug'))
    const kept: unknown = JSON.parse(readFileSync(join(directory, 'commands'), 'utf8'))
    expect(kept).toHaveLength(1000)
    expect(kept).toMatchObject([{ command: { logger: 'l1' } }, ...Array(998).fill({}), { command: { logger: 'last' } }])
  })

  it.each<[string, string, object]>([
    ['no kind', 'kind: expected "log-level", "shutdown" or "requests", received undefined', {}],
    ['another kind', 'kind: expected "log-level", "shutdown" or "requests", received exec', { kind: 'exec' }],
    ['no logger', 'logger: expected a string of at most 1024 characters', { kind: 'log-level', level: 'a' }],
    ['a long reason', 'reason: expected a string', { kind: 'shutdown', reason: 'x'.repeat(1025) }],
    ['slots that are none', 'slots: expected at most 1024', { kind: 'shutdown', reason: '', slots: [-1] }],
    ['many slots', 'slots: expected at most 1024', { kind: 'shutdown', reason: '', slots: Array(1025).fill(1) }],
    ['an end that is no number', 'until: expected a number', { kind: 'log-level', logger: 'a', until: 'x' }],
  ])('are refused with %s, by the sender and by all receivers', (_, message, command) => {
    const directory = newDirectory()
    const reports: string[] = []
    const report = (text: string, cause: unknown) => void reports.push(`${text} ${String(cause)}`)
    const group = openTestGroup(directory, { report })
    joinGroup(group)
    const append: (command: never) => void = group.commands.append.bind(group.commands)
    expect(() => Reflect.apply(append, undefined, [command])).toThrow(message)
    writeFileSync(join(directory, 'commands'), JSON.stringify([{ number: 1, command }]), { mode: 0o600 })
    expect([group.commands.poll(), group.commands.poll()]).toEqual([[], []])
    expect(reports).toEqual([expect.stringContaining(`commands is refused TypeError: ${message}`)])
  })

  it('never throw for a file of anything, and pollute nothing', () => {
    const directory = newDirectory()
    const group = openTestGroup(directory, { report: () => {} })
    joinGroup(group)
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('[{"__proto__":{"number":1}}]', '[{"number":1,"command":{"__proto__":{"kind":"shutdown"}}}]'),
    )
    const property = fc.property(texts, (text) => {
      writeFileSync(join(directory, 'commands'), text, { mode: 0o600 })
      expect(group.commands.poll()).toEqual([])
    })
    fc.assert(property, { numRuns: 300, seed: 18 })
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

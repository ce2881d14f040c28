import { totalmem } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  availableMemory,
  containerLimit,
  parseContainerMemory,
  readContainerMemory,
} from '../../src/base/container-memory.ts'

const version2: Readonly<Record<string, string>> = {
  'memory.current': '104857600',
  'memory.stat': 'anon 40000000\nfile 50000000\ninactive_file 4857600\nactive_file 3000000',
  'memory.events': 'low 0\nhigh 3\nmax 12\noom 2\noom_kill 1\noom_group_kill 0',
  'memory.pressure':
    'some avg10=0.00 avg60=1.20 avg300=0.50 total=81234\nfull avg10=0.00 avg60=0.90 avg300=0.30 total=4321',
}

const version1: Readonly<Record<string, string>> = {
  'memory.usage_in_bytes': '104857600',
  'memory.stat': 'cache 5\ninactive_file 7\ntotal_inactive_file 4857600',
  'memory.failcnt': '12',
  'memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 1',
}

const reader = (files: Readonly<Record<string, string>>) => (name: string) => files[name] ?? ''

describe('the memory of a container', () => {
  it('is read from version 2 of control groups', () => {
    expect(parseContainerMemory(reader(version2), 2)).toEqual({
      total: 104_857_600,
      used: 100_000_000,
      events: { low: 0, high: 3, max: 12, oom: 2, oom_kill: 1, oom_group_kill: 0 },
      pressure: { some: 81_234, full: 4_321 },
    })
  })

  it('is read from version 1', () => {
    expect(parseContainerMemory(reader(version1), 1)).toEqual({
      ...{ total: 104_857_600, used: 100_000_000 },
      ...{ events: { max: 12, oom_kill: 1 }, pressure: undefined },
    })
  })

  it('has no limit that is known if the runtime cannot read it', () => {
    const read = vi.spyOn(process, 'constrainedMemory')
    onTestFinished(() => read.mockRestore())
    read.mockReturnValue(totalmem() / 2)
    expect(containerLimit()).toBe(totalmem() / 2)
    read.mockImplementation(() => {
      throw new Error('No such file or directory')
    })
    expect(containerLimit()).toBeUndefined()
  })

  it.each([1, 2] as const)('is unknown without files of version %d', (version) => {
    expect(parseContainerMemory(() => '', version)).toBeUndefined()
  })

  it('has what exists where single files are missing', () => {
    expect(parseContainerMemory(reader({ 'memory.current': '5' }), 2)).toEqual({
      ...{ total: 5, used: 5, events: {}, pressure: undefined },
    })
  })

  it('is read from this system, if it has control groups', () => {
    expect(readContainerMemory()?.used ?? 1).toBeGreaterThan(0)
    expect(availableMemory()).toBeGreaterThan(0)
  })
})

import { arch, release, type, userInfo } from 'node:os'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { containerInfo } from '../../../src/management/info/container-info.ts'
import { osInfo } from '../../../src/management/info/os-info.ts'
import { processInfo } from '../../../src/management/info/process-info.ts'
import { runtimeInfo } from '../../../src/management/info/runtime-info.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const clock = { wallTime: () => now, monotonicTime: () => 0 }
const bytes = expect.toSatisfy((value: number) => Number.isInteger(value) && value >= 0)

describe('processInfo', () => {
  it('reports the process', async () => {
    const earliest = process.uptime()
    const contribute = processInfo(clock)
    const latest = process.uptime()
    const contributed = await contribute()
    expect(contributed).toEqual({
      process: {
        pid: process.pid,
        parentPid: process.ppid,
        owner: userInfo().username,
        uptime: expect.stringMatching(/^PT\d+\.\d{3}S$/),
        startTime: expect.any(String),
        currentTime: '2026-01-02T03:04:05.678Z',
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        locale: Intl.DateTimeFormat().resolvedOptions().locale,
        workingDirectory: process.cwd(),
        cpus: expect.toSatisfy((cpus: number) => Number.isInteger(cpus) && cpus > 0),
        memory: {
          heap: { used: bytes, committed: bytes, init: -1, max: bytes },
          nonHeap: { used: bytes, committed: bytes, init: -1, max: -1, external: bytes },
        },
      },
    })
    const { startTime } = (contributed as { process: { startTime: string } }).process
    const uptime = now - Date.parse(startTime)
    expect(uptime).toBeGreaterThanOrEqual(Math.floor(earliest * 1000))
    expect(uptime).toBeLessThanOrEqual(Math.ceil(latest * 1000))
  })

  it('reports how often each garbage collector has run, where meters count it', async () => {
    const meters = createMeterRegistry()
    const pauses = meters.timers('jvm.gc.pause', ['action', 'cause', 'gc'])
    pauses.with('end of minor GC', 'unknown', 'Scavenger').record(0.001)
    pauses.with('end of minor GC', 'forced', 'Scavenger').record(0.001)
    pauses.with('end of major GC', 'forced', 'Mark-Compact').record(0.01)
    expect(await processInfo(clock, meters)()).toMatchObject({
      process: {
        memory: {
          garbageCollectors: [
            { name: 'Scavenger', collectionCount: 2 },
            { name: 'Mark-Compact', collectionCount: 1 },
          ],
        },
      },
    })
  })

  it('supports an owner without a name, as in a container', async () => {
    vi.spyOn(process.getBuiltinModule('node:os'), 'userInfo').mockImplementationOnce(() => {
      throw new Error('uv_os_get_passwd returned ENOENT')
    })
    expect(await processInfo(clock)()).toMatchObject({ process: { pid: process.pid, owner: undefined } })
  })
})

describe('containerInfo', () => {
  const cgroups = (text: string) =>
    vi.spyOn(process.getBuiltinModule('node:fs/promises'), 'readFile').mockResolvedValueOnce(text)
  const limited = (bytes: number) => vi.spyOn(process, 'constrainedMemory').mockReturnValueOnce(bytes)

  it.each([
    ['0::/orders.slice\n', { version: 2, path: '/orders.slice' }],
    ['12:cpu,cpuacct:/\n5:memory:/docker/4f:1\n0::/init\n', { version: 1, path: '/docker/4f:1' }],
    ['12:cpu:/\n', undefined],
  ])('reports the limit of memory, and the control group in %j', async (text, cgroup) => {
    cgroups(text)
    limited(1_048_576)
    vi.spyOn(process, 'availableMemory').mockReturnValueOnce(500)
    expect(await containerInfo()()).toEqual({ container: { memory: { limit: 1_048_576, available: 500 }, cgroup } })
  })

  it.each([0, Number(2n ** 64n)])(
    'reports nothing for the limit %d, which is none, outside of a group',
    async (bytes) => {
      cgroups('')
      limited(bytes)
      expect(await containerInfo()()).toBeUndefined()
    },
  )
})

describe('osInfo', () => {
  it('reports the operating system', async () => {
    expect(await osInfo()()).toEqual({ os: { name: type(), version: release(), arch: arch() } })
  })
})

describe('runtimeInfo', () => {
  it('reports the versions of Node and its dependencies', async () => {
    const { node, v8, uv, openssl } = process.versions
    expect(await runtimeInfo()()).toEqual({ runtime: { name: 'node', version: node, v8, uv, openssl } })
  })
})

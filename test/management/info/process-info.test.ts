import { arch, release, type, userInfo } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
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
          heap: { used: bytes, committed: bytes, max: bytes },
          nonHeap: { used: bytes, external: bytes },
        },
      },
    })
    const { startTime } = (contributed as { process: { startTime: string } }).process
    const uptime = now - Date.parse(startTime)
    expect(uptime).toBeGreaterThanOrEqual(Math.floor(earliest * 1000))
    expect(uptime).toBeLessThanOrEqual(Math.ceil(latest * 1000))
  })

  it('supports an owner without a name, as in a container', async () => {
    vi.spyOn(process.getBuiltinModule('node:os'), 'userInfo').mockImplementationOnce(() => {
      throw new Error('uv_os_get_passwd returned ENOENT')
    })
    expect(await processInfo(clock)()).toMatchObject({ process: { pid: process.pid, owner: undefined } })
  })
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

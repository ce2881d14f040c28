import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { describeWith } from '../../support/describe-with.ts'
import { probeLikeKubelet, probeUntil, startService } from '../service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

describe('a heap dump of a process with a watchdog', () => {
  it('is not reported as a stall, and probes succeed all the time', async () => {
    const { child, send, probe } = await startService({ stall: '100ms', objects: 50_000 })
    const dump = send('heapdump')
    const statuses = await probeUntil(dump, probe)
    const response = await dump
    expect(response.status).toBe(200)
    expect(Number(/dur=(\d+)/.exec(response.headers['server-timing'] ?? '')?.[1])).toBeGreaterThan(100)
    expect([...statuses]).toEqual([200])
    expect(child.out.lines.filter((line) => line.includes('watchdog'))).toEqual([])
    expect(child.err.lines).toEqual([])
  })

  it('of 200 MB restarts no container whose liveness is probed on the port of the watchdog', async () => {
    const { child, send, probe } = await startService({ stall: '1s', strings: 200_000 })
    let isOver = false
    const failures = probeLikeKubelet(probe, () => isOver)
    const { status, bytes } = await send('heapdump').finally(() => {
      isOver = true
    })
    expect(status).toBe(200)
    expect(bytes.length).toBeGreaterThan(200e6)
    // Three in sequence would restart it.
    expect(await failures).toBeLessThan(3)
    expect(child.out.lines.filter((line) => line.includes('watchdog'))).toEqual([])
  })

  it('is reported as a stall after the maximum, and the process goes on', async () => {
    const { child, send, probe } = await startService({
      ...{ stall: '100ms', objects: 100_000, heapdump: { maximumBlock: '100ms' } },
    })
    const dump = send('heapdump')
    const statuses = await probeUntil(dump, probe)
    expect((await dump).status).toBe(200)
    expect([...statuses]).toContain(503)
    await child.out.line(/^reported watchdog: the event loop was blocked for \d+ms/)
    expect(await send('health')).toMatchObject({ status: 200 })
  })
})

/** Runs a command where `folder` is a small disk of its own, in memory. */
const onSmallDisk = (folder: string) => [
  'unshare',
  // Root mounts without a user namespace, which a chroot does not permit.
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ...['--mount', 'sh', '-c', 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"', 'sh', folder],
]

function missingMount(): string | undefined {
  try {
    const [command = '', ...words] = [...onSmallDisk(tmpdir()), 'true']
    execFileSync(command, words, { stdio: 'ignore' })
    return undefined
  } catch {
    return 'unshare and mount are not permitted here, so a full disk is not tested'
  }
}

describeWith('a heap dump to a disk that gets full', missingMount(), () => {
  it('is refused with 507, again and again, and the process goes on', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const { send } = await startService({ heapdump: { directory }, within: onSmallDisk(directory) })
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await send('heapdump')
      expect(status).toBe(507)
      expect(JSON.parse(body).detail).toBe('The disk is full.')
    }
    expect(await send('health')).toMatchObject({ status: 200 })
  })
})

const permission = Number(process.versions.node.split('.')[0]) < 24 ? '--experimental-permission' : '--permission'

describe.each([
  ['without any permission', []],
  ['without the inspector', ['--allow-worker']],
])('a process under the permission model, %s', (_name, allowed) => {
  const network = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []
  const flags = [permission, '--allow-fs-read=*', ...network, ...allowed, '--no-warnings']

  it('dumps the threads that are blocked', async () => {
    const burns = allowed.includes('--allow-worker')
    const { send } = await startService({ flags, burns })
    const { status, body } = await send('threaddump', 'text/plain')
    expect(status).toBe(200)
    expect(body).toMatch(/^"main" - Thread t@0\n {3}java\.lang\.Thread\.State: RUNNABLE\n\tat /m)
    if (burns) expect(body).toMatch(/^"worker 1.*" - Thread t@1\n.*RUNNABLE\n\tat burn \(/m)
  })

  it('dumps the heap, kept in memory', async () => {
    const { send } = await startService({ flags })
    const { status, body, headers } = await send('heapdump')
    expect(status).toBe(200)
    expect(headers['server-timing']).toMatch(/^blocked;dur=\d+/)
    expect(JSON.parse(body).snapshot.node_count).toBeGreaterThan(10_000)
  })
})

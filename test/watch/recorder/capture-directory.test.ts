import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { built } from '../../support/built.ts'
import { describeWith } from '../../support/describe-with.ts'
import { nextCapture, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
// The start of a process may block its event loop, too: on a busy machine that is captured first.
const rules = { blockedLoop: '500ms', duration: '1s', interval: '1ms' } as const
const burnt = /burnTheLoop/

// Repeated: with more work than processors, a block of the start can continue into that of a test.
describe('the directory of the flight recorder', { timeout: 60_000, retry: 2 }, () => {
  it('is created for its owner only, and has a profile that DevTools opens and a description per capture', async () => {
    const directory = join(temporaryDirectory(), 'new', 'captures')
    const service = await startRecorded({ recorder: { ...rules, directory } })
    service.perform('burn 3000')
    const { id, bytes } = await nextCapture(service, burnt)
    const files = readdirSync(directory).filter((name) => name.startsWith(id))
    expect(files.sort()).toEqual([`${id}.capture.json`, `${id}.cpuprofile`])
    expect(modeOf(directory)).toBe('700')
    expect(files.map((name) => modeOf(join(directory, name)))).toEqual(['600', '600'])
    const content = readFileSync(join(directory, `${id}.cpuprofile`), 'utf8')
    expect([content.length, JSON.parse(content).nodes.length > 0]).toEqual([bytes, true])
  })

  it('keeps the capture of a process that is killed while it is blocked, for the next one', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const killed = await startRecorded({ recorder: { ...rules, directory } })
    killed.perform('forever 0')
    const [id] = await vi.waitFor(
      () => {
        const names = readdirSync(directory).filter((name) => name.endsWith('.capture.json'))
        expect(names).toHaveLength(1)
        return names.map((name) => name.slice(0, -'.capture.json'.length))
      },
      { timeout: 20_000, interval: 50 },
    )
    await killed.child.kill()
    const next = await startRecorded({ recorder: { ...rules, blockedLoop: false, directory } })
    const { captures } = JSON.parse((await next.send('captures')).body)
    expect(captures).toMatchObject([{ id, rule: 'blocked-loop', details: { isOver: false } }])
    const profile = await next.send(`captures/${id}?format=folded`)
    expect(profile.body).toMatch(/^main;.*neverYield/m)
  })

  it('is limited in number, and shared with other processes', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const recorder = { ...rules, directory, maximumCaptures: 2 }
    const [one, other] = [await startRecorded({ recorder }), await startRecorded({ recorder })]
    for (const [service, nth] of [
      [one, 1],
      [other, 1],
      [one, 2],
    ] as const) {
      service.perform('burn 2000')
      await nextCapture(service, burnt, nth)
    }
    const lists = await Promise.all([one, other].map(async ({ send }) => JSON.parse((await send('captures')).body)))
    expect(lists[0].captures).toHaveLength(2)
    expect(lists[1].captures).toEqual(lists[0].captures)
    expect(lists[0].dropped + lists[1].dropped).toBeGreaterThanOrEqual(1)
    expect(readdirSync(directory)).toHaveLength(4)
  })

  it('is limited in bytes: a capture that exceeds the limit is kept in memory', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const service = await startRecorded({ recorder: { ...rules, directory, maximumDirectoryBytes: 100 } })
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    expect(readdirSync(directory)).toEqual([])
    await service.child.out.line(
      /^reported recorder: the capture .* cannot be kept in the directory: \d+ bytes exceed the limit of 100$/,
    )
    expect(await service.send(`captures/${id}`)).toMatchObject({ status: 200 })
  })

  it('is not used if others have access to it: captures are kept in memory', async () => {
    const directory = temporaryDirectory()
    chmodSync(directory, 0o755)
    const service = await startRecorded({ recorder: { ...rules, directory } })
    expect(await service.child.out.line(/^reported recorder: captures/)).toBe(
      'reported recorder: captures are kept in memory, because the directory cannot be used: expected a directory of ' +
        'this user with mode 0700, received mode 0755; name one that does not exist, which is created',
    )
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    expect(readdirSync(directory)).toEqual([])
    expect(await service.send(`captures/${id}`)).toMatchObject({ status: 200 })
  })

  it('loses what a process did not finish, and nothing that is not its own', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    mkdirSync(directory, { mode: 0o700 })
    const id = '20260101T000000-blocked-loop-0123ab'
    const old = [`${id}.cpuprofile`, `${id}.capture.json.tmp`, 'notes.txt', 'notes.tmp']
    const all = [
      ...old,
      '20260101T000000-blocked-loop-4567cd.cpuprofile.tmp',
      '20260101T000000-memory-89abef.capture.json',
    ]
    for (const name of all) writeFileSync(join(directory, name), '{"id":"../../etc/passwd"')
    for (const name of old) utimesSync(join(directory, name), 1, 1)
    const { send } = await startRecorded({ recorder: { ...rules, directory } })
    expect(JSON.parse((await send('captures')).body).captures).toEqual([])
    expect(readdirSync(directory).sort()).toEqual(all.filter((name) => !name.startsWith(id)).sort())
  })

  it('may be removed meanwhile: captures are kept in memory', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const service = await startRecorded({ recorder: { ...rules, directory } })
    await service.send('captures')
    rmSync(directory, { recursive: true })
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    expect(await service.send(`captures/${id}`)).toMatchObject({ status: 200 })
  })
})

/** Runs a command where `folder` is a disk of its own that is full. */
const onFullDisk = (folder: string) => [
  'unshare',
  // Root mounts without a user namespace, which a chroot does not permit.
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ...['--mount', 'sh', '-c'],
  'mount -t tmpfs -o size=64k,mode=0700 none "$1"; head -c 70000 /dev/zero > "$1/other"; shift; exec "$@"',
  ...['sh', folder],
]

function missingMount(): string | undefined {
  try {
    const [command = '', ...words] = [...onFullDisk(tmpdir()), 'true']
    execFileSync(command, words, { stdio: 'ignore' })
    return undefined
  } catch {
    return 'unshare and mount are not permitted here, so a full disk is not tested'
  }
}

describeWith('a flight recorder whose disk is full', missingMount(), () => {
  it('keeps the capture in memory, leaves no file, and the process goes on', { timeout: 60_000 }, async () => {
    const directory = temporaryDirectory()
    const service = await startRecorded({ recorder: { ...rules, directory }, within: onFullDisk(directory) })
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    await service.child.out.line(/^reported recorder: the capture .* cannot be kept in the directory: ENOSPC/)
    expect(await service.send(`captures/${id}`)).toMatchObject({ status: 200 })
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })
})

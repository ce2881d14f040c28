import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capture } from 'upkeep/node'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { describeWith } from '../../support/describe-with.ts'
import { nextCapture, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const rules = { blockedLoop: '500ms', duration: '1s', interval: '1ms' } as const
const burnt = /burnTheLoop/

describe('the directory of the flight recorder', () => {
  it('has a profile that DevTools opens and a description of a block', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const service = await startRecorded({ recorder: { ...rules, directory } })
    await service.burnAWhile()
    const { id, bytes } = await nextCapture(service, burnt)
    const files = readdirSync(directory).filter((name) => name.startsWith(id))
    expect(files.sort()).toEqual([`${id}.capture.json`, `${id}.cpuprofile`])
    const content = readFileSync(join(directory, `${id}.cpuprofile`), 'utf8')
    expect([content.length, JSON.parse(content).nodes.length > 0]).toEqual([bytes, true])
  })

  it('keeps the capture of a process that is killed while it is blocked, for the next one', async () => {
    const directory = join(temporaryDirectory(), 'captures')
    const killed = await startRecorded({ recorder: { ...rules, directory } })
    await killed.burn()
    const described = () => readdirSync(directory).filter((name) => name.endsWith('.capture.json'))
    const captured = () => described().map((name) => readFileSync(join(directory, name), 'utf8'))
    await expect.poll(captured).toContainEqual(expect.stringContaining('burnTheLoop'))
    await killed.child.kill()
    const next = await startRecorded({ recorder: { ...rules, blockedLoop: false, directory } })
    const { captures }: { captures: readonly Capture[] } = JSON.parse((await next.send('captures')).body)
    const kept = captures.find((capture) => JSON.stringify(capture).includes('burnTheLoop'))
    expect(kept).toMatchObject({ rule: 'blocked-loop', details: { isOver: false } })
    const profile = await next.send(`captures/${kept?.id}?format=folded`)
    expect(profile.body).toMatch(/^main;.*burnTheLoop/m)
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
  it('keeps the capture in memory, leaves no file, and the process goes on', async () => {
    const directory = temporaryDirectory()
    const service = await startRecorded({ recorder: { ...rules, directory }, within: onFullDisk(directory) })
    await service.burnAWhile()
    const { id } = await nextCapture(service, burnt)
    await service.child.out.line(/^reported recorder: the capture .* cannot be kept in the directory: ENOSPC/)
    expect(await service.send(`captures/${id}`)).toMatchObject({ status: 200 })
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })
})

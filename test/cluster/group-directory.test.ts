import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { defaultBase } from '../../src/cluster/files/group-directory.ts'
import { describeWith } from '../support/describe-with.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { bundleProgram, counter, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { accepting, valuesOf } from './merge-cells.ts'

const program = await bundleProgram()
const isRoot = process.getuid?.() === 0

describe('the directory of a group', () => {
  it('is open to its user only, with all files', () => {
    const directory = join(newDirectory(), 'a', 'b')
    const group = openTestGroup(directory)
    const member = joinGroup(group)
    joinGroup(openTestGroup(directory)).leave(accepting)
    group.commands.append({ kind: 'shutdown', reason: 'test' })
    group.foldDead(() => ({ definitions: [], cells: new Float64Array(), exemplars: [] }))
    member.commit(accepting)
    const mode = (path: string) => (lstatSync(path).mode & 0o7777).toString(8)
    const files = readdirSync(directory)
    expect(files).toEqual(expect.arrayContaining(['0.member', 'base', 'commands', 'group.json']))
    expect([directory, dirname(directory)].map(mode)).toEqual(['700', '700'])
    expect(new Set(files.map((name) => mode(join(directory, name))))).toEqual(new Set(['600']))
  })

  it('is read as a group without members while it does not exist, and is not created', () => {
    const directory = newDirectory()
    expect(openTestGroup(directory).read()).toEqual({ members: [], base: undefined, refused: [] })
    expect(openTestGroup(directory).commands.poll()).toEqual([])
    expect(statSync(directory, { throwIfNoEntry: false })).toBeUndefined()
  })

  it.each<[string, RegExp, (path: string) => void]>([
    ['a file', /expected a directory, received a file$/, (path) => writeFileSync(path, '')],
    ['a symbolic link', /received a symbolic link$/, (path) => symlinkSync(dirname(path), path)],
    ['open to others', /expected mode 0700, received 0755: other users have access$/, (path) => mkdirSync(path)],
    [
      'replaceable by others',
      /other users can replace it: everyone may write to .*, which has no sticky bit$/,
      (path) => {
        mkdirSync(path, { mode: 0o700 })
        chmodSync(dirname(path), 0o777)
      },
    ],
  ])('is refused if it is %s', (_, message, make) => {
    const path = newDirectory()
    make(path)
    expect(() => openTestGroup(path)).toThrow(message)
  })

  it('belongs to a directory of the user below the runtime directory, or the temporary one', () => {
    const temporary = dirname(newDirectory())
    const runtime = dirname(newDirectory())
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const name = `upkeep-${process.getuid?.()}`
    const places: readonly (readonly [string | undefined, string])[] = [
      [runtime, runtime],
      [undefined, temporary],
      ['relative', temporary],
      [join(runtime, 'missing'), temporary],
    ]
    for (const [variable, expected] of places) {
      vi.stubEnv('XDG_RUNTIME_DIR', variable)
      expect(defaultBase()).toBe(join(expected, name))
      expect(statSync(join(expected, name)).mode & 0o777).toBe(0o700)
    }
    chmodSync(runtime, 0o755)
    vi.stubEnv('XDG_RUNTIME_DIR', runtime)
    expect(defaultBase()).toBe(join(temporary, name))
    rmSync(join(temporary, name), { recursive: true })
    symlinkSync(runtime, join(temporary, name))
    expect(() => defaultBase()).toThrow(/symbolic link/)
  })
})

describe('a group', () => {
  it('of an earlier boot has no live member, and begins anew', () => {
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory))
    member.cells[member.placeOf(member.define(counter('a')) ?? -1)] = 1
    member.commit(accepting)
    replaceIn(join(directory, 'group.json'), 'boot', 'another')
    const group = openTestGroup(directory)
    expect(group.read().members).toMatchObject([{ isAlive: false, isProcessAlive: false }])
    expect(joinGroup(group).identity.slot).toBe(0)
    expect(group.read().members.map(({ image }) => valuesOf(image))).toEqual([{}])
    member.define(counter('b'))
    const later = { wallTime: () => Date.now(), monotonicTime: () => performance.now() + 5000 }
    expect(openTestGroup(directory, { clock: later }).read().members).toMatchObject([{ isAlive: true }])
  })

  it('of another pid namespace is refused while it is written to, and begins anew afterwards', () => {
    const directory = newDirectory()
    const clock = createManualClock()
    joinGroup(openTestGroup(directory, { clock }))
    replaceIn(join(directory, 'group.json'), 'pidNamespace', 'another')
    clock.advance(9000)
    expect(() => openTestGroup(directory, { clock })).toThrow(/used by processes of another pid namespace/)
    clock.advance(1000)
    const group = openTestGroup(directory, { clock })
    expect(group.read().members).toMatchObject([{ isAlive: false }])
    expect(joinGroup(group).identity.slot).toBe(0)
    expect(openTestGroup(directory, { clock }).read().members).toMatchObject([{ isAlive: true }])
  })

  it('reports a member whose file was removed', () => {
    const clock = createManualClock()
    const directory = newDirectory()
    const member = joinGroup(openTestGroup(directory, { clock }))
    rmSync(join(directory, '0.member'))
    clock.advance(899)
    member.commit(accepting)
    clock.advance(1)
    expect(() => member.commit(accepting)).toThrow(/0\.member: removed by another process$/)
    expect(() => member.heartbeat()).toThrow(/removed by another process$/)
  })
})

function replaceIn(path: string, key: string, value: string): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), [key]: value }))
}

describeWith('another user', isRoot ? undefined : 'other users can be tried by root only: sudo npm test', () => {
  it('can neither read nor write', () => {
    const directory = newDirectory()
    joinGroup(openTestGroup(directory))
    chmodSync(dirname(directory), 0o755)
    const options = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const
    const { stdout } = spawnSync(process.execPath, [program, 'intrude', directory], options)
    expect(stdout.trimEnd().split('\n')).toEqual([
      `open: Error: ${directory}: expected a directory of user 65534, received one of user 0`,
      ...['list', 'read', 'write', 'create'].map((what) => `${what}: EACCES`),
    ])
  })

  it('cannot have a directory of theirs used', () => {
    const directory = newDirectory()
    mkdirSync(directory, { mode: 0o700 })
    chownSync(directory, 65_534, 65_534)
    expect(() => openTestGroup(directory)).toThrow('expected a directory of user 0, received one of user 65534')
    const runtime = dirname(newDirectory())
    const temporary = dirname(newDirectory())
    chownSync(runtime, 65_534, 65_534)
    vi.stubEnv('XDG_RUNTIME_DIR', runtime)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(dirname(defaultBase())).toBe(temporary)
    chownSync(join(temporary, 'upkeep-0'), 65_534, 65_534)
    expect(() => defaultBase()).toThrow('expected a directory of user 0, received one of user 65534')
  })
})

describeWith('a disk', missingNamespaces(), () => {
  it.each(['1m', '64m'])('that is full leaves what was written, and takes the rest later: %s', (size) => {
    const lines = runMounted(`size=${size},mode=0700`, '"$node" "$program" fill "$directory"')
    expect(lines).toEqual([
      'fill: ENOSPC',
      'commit: ENOSPC',
      'series 1, first 1, refused 0',
      'join: ENOSPC',
      'command: ENOSPC',
      'series 1, first 1, refused 0',
      'commit: done',
      'join: done',
      'series 1501,0, first 2,, refused 0',
      'left over 0',
    ])
  })

  it('that is read-only can be read', () => {
    const once = '"$node" "$program" try "$directory"'
    const lines = runMounted('size=1m,mode=0700', `${once}; mount -o remount,ro "$directory"; ${once}`)
    expect(lines).toEqual(['members 0', 'slot 0', 'members 1', expect.stringMatching(/^EROFS: read-only file system/)])
  })

  it('in another pid namespace is refused while it is written to', () => {
    const directory = newDirectory()
    joinGroup(openTestGroup(directory))
    const args = ['-rpf', '--mount-proc', process.execPath, program, 'try', directory]
    expect(execFileSync('unshare', args, { encoding: 'utf8' })).toBe(
      `${directory}: used by processes of another pid namespace, such as another container\n`,
    )
  })
})

function missingNamespaces(): string | undefined {
  const { status } = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
  return status === 0 ? undefined : 'full disks need `unshare -rm`: allow user namespaces'
}

/** Runs a script with a file system of its own at `$directory`, and returns the lines that it prints. */
function runMounted(options: string, script: string): readonly string[] {
  const directory = newDirectory()
  mkdirSync(directory, { mode: 0o700 })
  const mount = `mount -t tmpfs -o ${options} tmpfs "$directory"`
  const env = { ...process.env, node: process.execPath, program, directory }
  const output = execFileSync('unshare', ['-rm', 'sh', '-c', `${mount}; ${script}`], { env, encoding: 'utf8' })
  return output.trimEnd().split('\n')
}

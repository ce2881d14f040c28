import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DefinitionDecoder } from '../../src/cluster/files/definition-log.ts'
import { encodeHeader, tableCrc32 } from '../../src/cluster/files/file-layout.ts'
import { FileReader, type FileReading } from '../../src/cluster/files/file-reader.ts'
import { describeWith } from '../support/describe-with.ts'
import { counter, joinGroup, newDirectory, openTestGroup } from './cluster-files.ts'
import { accepting, valuesOf } from './merge-cells.ts'

/** A member that has written twice, with its file, and a base. */
function writtenGroup() {
  const directory = newDirectory()
  const ended = joinGroup(openTestGroup(directory))
  const member = joinGroup(openTestGroup(directory))
  ended.cells[ended.placeOf(ended.define(counter('ended')) ?? -1)] = 5
  ended.leave(accepting)
  const index = member.define(counter('a', [{ key: 'k', value: 'v' }])) ?? -1
  member.cells[member.placeOf(index)] = 1
  member.commit(accepting)
  member.cells[member.placeOf(index)] = 2
  member.cells[member.placeOf(member.define(counter('b')) ?? -1)] = 3
  member.commit(accepting)
  const last = joinGroup(openTestGroup(directory))
  const [path, basePath] = [join(directory, '1.member'), join(directory, 'base')]
  const [bytes, baseBytes] = [readFileSync(path), readFileSync(basePath)]
  return { directory, path, basePath, bytes, baseBytes, last }
}

/** All that the member ever wrote. */
const written = [{}, { a: [1] }, { a: [2], b: [3] }]

describe('a damaged file', () => {
  it.each(['1.member', 'base'])(
    'is refused or read as it was written when it ends at any byte: %s',
    (file) => {
      const { directory, bytes, baseBytes } = writtenGroup()
      const whole = file === 'base' ? baseBytes : bytes
      for (const other of ['0.member', file === 'base' ? '1.member' : 'base']) rmSync(join(directory, other))
      writeFileSync(join(directory, file), whole)
      for (let length = whole.length - 1; length >= 0; length--) {
        truncateSync(join(directory, file), length)
        expectWrittenOrRefused(directory, file)
      }
    },
    120_000,
  )

  it.each(['1.member', 'base'])(
    'is refused or read as it was written with any bits flipped: %s',
    (file) => {
      const { directory, bytes, baseBytes } = writtenGroup()
      const whole = file === 'base' ? baseBytes : bytes
      // The zeros of room that is not used yet take most of the file.
      const used = Array.from(whole.keys()).filter((at) => whole[at] !== 0 || at < 256)
      const flips = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...used), fc.nat(whole.length - 1)), fc.nat(7)), {
        minLength: 1,
        maxLength: 4,
      })
      const property = fc.property(flips, (list) => {
        const damaged = Buffer.from(whole)
        for (const [at, bit] of list) damaged[at] = (damaged[at] ?? 0) ^ (1 << bit)
        writeFileSync(join(directory, file), damaged)
        expectWrittenOrRefused(directory, file)
      })
      fc.assert(property, { numRuns: 2000, seed: 18 })
    },
    120_000,
  )

  it('leaves the values of the last reading, with the reason', () => {
    const { directory, path } = writtenGroup()
    const group = openTestGroup(directory)
    group.read()
    truncateSync(path, 5000)
    const { members, refused } = group.read()
    expect(members.map(({ image }) => valuesOf(image))).toContainEqual({ a: [2], b: [3] })
    expect(refused).toEqual([{ file: '1.member', reason: 'truncated: 5000 bytes' }])
    expect(
      openTestGroup(directory)
        .read()
        .members.map(({ identity }) => identity.slot),
    ).toEqual([0])
  })

  it('is read from the other half when a half was cut', () => {
    const { directory, path, bytes } = writtenGroup()
    const size = bytes.readUInt32LE(16)
    const capacity = bytes.readUInt32LE(24)
    // The third write, since joining writes first: it went to the second half.
    bytes.writeDoubleLE(99, size + capacity)
    writeFileSync(path, bytes)
    const { members, refused } = openTestGroup(directory).read()
    expect(members.map(({ image }) => valuesOf(image))).toContainEqual({ a: [1] })
    expect(refused).toEqual([])
  })
})

/** Reads with nothing known before. */
function expectWrittenOrRefused(directory: string, file: string): void {
  const steps = new FileReader(join(directory, file), new DefinitionDecoder()).read('values')
  let reading: FileReading | undefined
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done !== true) continue
      reading = step.value
      break
    }
  } catch (error) {
    // A fault of the reader would be a TypeError, or a RangeError.
    expect(String(error)).toMatch(/^(?:Error|SyntaxError): /)
    return
  }
  const image = reading?.values?.image
  if (image === undefined) expect(reading?.reason).toMatch(/^format version /)
  else expect(file === 'base' ? [{ ended: [5] }] : written).toContainEqual(valuesOf(image))
}

describe('a file that is none of the group', () => {
  const about = { generation: 'g', identity: { slot: 7, incarnation: 'i', pid: 1, processStart: '1', parent: 1 } }
  const full = { ...about.identity, threadId: 0, joinedAt: 1, application: 'a' }
  const withVersion = (bytes: Buffer, version: number) => {
    bytes.writeUInt32LE(version, 8)
    const text = bytes.subarray(256, 256 + bytes.readUInt32LE(20))
    bytes.writeUInt32LE(crc32(text, crc32(bytes.subarray(0, 40))), 40)
    return bytes
  }
  const header = (value: unknown) => Buffer.concat([encodeHeader({ halves: 2, capacity: 0 }, value), Buffer.alloc(9)])
  const polluting = JSON.parse('{"generation":"g","identity":{"__proto__":{"slot":7}},"__proto__":{"folded":[]}}')

  it.each<[string, string, (path: string) => void]>([
    ['empty', 'truncated: 0 bytes', (path) => writeFileSync(path, '')],
    ['text', 'not a file of a cluster', (path) => writeFileSync(path, 'x'.repeat(1000))],
    ['a directory', 'not a regular file', (path) => mkdirSync(path)],
    ['a symbolic link', 'a symbolic link', (path) => symlinkSync('/dev/zero', path)],
    ['a pipe', 'not a regular file', (path) => void execFileSync('mkfifo', [path])],
    [
      'too large',
      '300000000 bytes, more than 268435456',
      (path) => {
        writeFileSync(path, '')
        truncateSync(path, 300_000_000)
      },
    ],
    [
      'of a newer version',
      'format version 2, expected 1',
      (path) => writeFileSync(path, withVersion(header({ ...about, identity: full, later: {} }), 2)),
    ],
    ['without an identity', 'the header is invalid', (path) => writeFileSync(path, header({ generation: 'g' }))],
    ['of prototypes', 'the header is invalid', (path) => writeFileSync(path, header(polluting))],
    [
      'of another slot',
      'written for another name',
      (path) => writeFileSync(path, withVersion(header({ ...about, identity: { ...full, slot: 8 } }), 2)),
    ],
    [
      'without values',
      'the checksum of the values does not match',
      (path) => writeFileSync(path, header({ ...about, identity: full })),
    ],
  ])('is refused, and others are read: %s', (_, reason, write) => {
    const { directory } = writtenGroup()
    write(join(directory, '7.member'))
    const { members, base, refused } = openTestGroup(directory).read()
    expect(refused.map(({ file }) => file)).toContain('7.member')
    expect(refused.map((each) => each.reason)).toContain(reason)
    expect(members.map(({ image }) => valuesOf(image))).toEqual([{}, { a: [2], b: [3] }])
    expect(base && valuesOf(base)).toEqual({ ended: [5] })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('is left alone where its name is another', () => {
    const { directory } = writtenGroup()
    for (const name of ['x.member', '-1.member', '01.member', '1e3.member', '.member', '1.member.old']) {
      writeFileSync(join(directory, name), 'x')
    }
    expect(openTestGroup(directory).read().refused).toEqual([])
  })

  it('is removed when the group begins anew', () => {
    const directory = newDirectory()
    joinGroup(openTestGroup(directory)).leave(accepting)
    mkdirSync(join(directory, '5.member'))
    writeFileSync(join(directory, 'base'), 'x')
    const later = { wallTime: () => Date.now() + 120_000, monotonicTime: () => performance.now() }
    joinGroup(openTestGroup(directory, { clock: later }))
    expect(openTestGroup(directory).read()).toMatchObject({ members: [{ identity: { slot: 0 } }], refused: [] })
  })
})

const missingRoot =
  process.getuid?.() === 0 ? undefined : 'files of other users can be made by root only: sudo npm test'
describeWith('files of another user', missingRoot, () => {
  it.each(['1.member', 'base', 'commands'])('are refused: %s', (file) => {
    const { directory } = writtenGroup()
    const messages: string[] = []
    writeFileSync(join(directory, 'commands'), '[]')
    chownSync(join(directory, file), 65_534, 65_534)
    const group = openTestGroup(directory, { report: (message) => void messages.push(message) })
    expect(group.commands.poll()).toEqual([])
    const { refused } = group.read()
    const isCommands = file === 'commands'
    expect(refused).toEqual(isCommands ? [] : [{ file, reason: 'owned by user 65534' }])
    expect(messages).toEqual(isCommands ? [`cluster: ${join(directory, file)} is refused`] : [])
    rmSync(join(directory, file))
  })
})

it('has the checksums of zlib without zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      expect(tableCrc32(b, tableCrc32(a))).toBe(crc32(Buffer.concat([a, b])))
    }),
  )
})

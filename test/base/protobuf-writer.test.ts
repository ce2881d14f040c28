import fc from 'fast-check'
import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import { ProtobufWriter } from '../../src/base/protobuf-writer.ts'

/** One field of each type; `Sample.nested` is recursive. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Sample {
    uint64 varint = 1;
    bool bool = 2;
    int64 int64 = 3;
    sint64 sint64 = 4;
    double double = 5;
    sfixed64 fixed64 = 6;
    string string = 7;
    repeated double doubles = 9;
    repeated fixed64 fixed = 15;
    repeated uint64 varints = 16;
    repeated sint64 sints = 17;
    repeated Sample nested = 2047;
  }
`)
const Sample = root.resolveAll().lookupType('Sample')

interface SampleFields {
  readonly varint?: number
  readonly bool?: boolean
  readonly int64?: number
  readonly sint64?: number
  readonly double?: number
  readonly fixed64?: number
  readonly string?: string
  readonly doubles?: readonly number[]
  readonly fixed?: readonly number[]
  readonly varints?: readonly number[]
  readonly sints?: readonly number[]
  readonly nested?: readonly SampleFields[]
}

function write(out: ProtobufWriter, fields: SampleFields): void {
  const { varint, bool, int64, sint64, double, fixed64, string, doubles, fixed, varints, sints } = fields
  if (varint !== undefined) out.varint(1, varint)
  if (bool !== undefined) out.varint(2, bool ? 1 : 0)
  if (int64 !== undefined) out.int64(3, int64)
  if (sint64 !== undefined) out.sint64(4, sint64)
  if (double !== undefined) out.double(5, double)
  if (fixed64 !== undefined) out.fixed64(6, fixed64)
  if (string !== undefined) out.string(7, string)
  if (doubles !== undefined) out.packedDoubles(9, doubles)
  if (fixed !== undefined) out.packedFixed64(15, fixed)
  if (varints !== undefined) out.packedVarints(16, varints)
  if (sints !== undefined) out.packedSint64(17, sints)
  for (const nested of fields.nested ?? []) {
    const expectedBytes = (nested.varint ?? 0) % 3 === 0 ? 1 : 2
    const token = out.begin(2047, expectedBytes)
    write(out, nested)
    out.end(token, expectedBytes)
  }
}

function encode(fields: SampleFields, out: ProtobufWriter = new ProtobufWriter()): Buffer {
  write(out, fields)
  return Buffer.concat(out.take())
}

/** The encoding by protobufjs, which also writes lengths and integers in as few bytes as possible. */
function expected(fields: SampleFields): Buffer {
  return Buffer.from(Sample.encode(toMessage(fields)).finish())
}

function toMessage({ nested = [], ...fields }: SampleFields): protobuf.Message {
  const exact = Object.entries(fields).map(([name, value]) => [name, exactly(name, value)])
  return Sample.fromObject({ ...Object.fromEntries(exact), nested: nested.map(toMessage) })
}

/** Integers as strings, which protobufjs reads without rounding. */
function exactly(name: string, value: unknown): unknown {
  if (name === 'double' || name === 'doubles') return value
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.map(String) : value
}

const unsigned = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(127, 128, 2 ** 31, 2 ** 32, 2 ** 53 - 1))
const signed = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -300, max: 300 }),
  fc.constantFrom(-(2 ** 31), -(2 ** 32), Number.MIN_SAFE_INTEGER),
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
  fc.integer({ min: 0, max: 400 }).map((length) => '€'.repeat(length)),
)
const many = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 40 })

const { sample } = fc.letrec<{ sample: SampleFields }>((tie) => ({
  sample: fc.record(
    {
      varint: unsigned,
      bool: fc.boolean(),
      int64: signed,
      sint64: signed,
      double: fc.double(),
      fixed64: signed,
      string: text,
      doubles: many(fc.double()),
      fixed: many(unsigned),
      varints: many(unsigned),
      sints: many(signed),
      nested: fc.array(tie('sample'), { maxLength: 3, depthIdentifier: 'nested' }),
    },
    { requiredKeys: [] },
  ),
}))

describe('ProtobufWriter', () => {
  it('encodes every type of field as protobufjs does, in as few bytes', () => {
    fc.assert(
      fc.property(sample, (fields) => {
        expect(encode(fields).equals(expected(fields))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('encodes messages that span several chunks', () => {
    const leaf: SampleFields = { string: 'x'.repeat(1_000), nested: [{ doubles: Array(300).fill(0.1) }] }
    const fields: SampleFields = { nested: [{ nested: Array(100).fill(leaf) }, { nested: Array(100).fill(leaf) }] }
    const out = new ProtobufWriter()
    write(out, fields)
    const length = expected(fields).length
    expect(out.length).toBe(length)
    const pieces = out.take()
    expect(Buffer.concat(pieces).equals(expected(fields))).toBe(true)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(65_536)
  })

  it('encodes a message that begins or ends at any place around the end of a chunk', () => {
    const out = new ProtobufWriter()
    for (let filled = 65_536 - 170; filled < 65_536 + 5; filled++) {
      for (const length of [0, 5, 127, 128, 140]) {
        const fields = { string: 'x'.repeat(filled), nested: [{ nested: [{ string: 'y'.repeat(length) }] }] }
        expect(encode(fields, out).equals(expected(fields)), `${filled} + ${length}`).toBe(true)
      }
    }
  })

  it('encodes a field that is larger than a chunk', () => {
    const fields = { string: '€'.repeat(50_000), doubles: Array(10_000).fill(1) }
    expect(encode(fields).equals(expected(fields))).toBe(true)
  })

  it('encodes fixed64 beyond 2^53 from two halves', () => {
    const out = new ProtobufWriter()
    const nanoseconds = 1_795_363_200_123_456_789n
    out.fixed64Halves(6, Number(nanoseconds >> 32n), Number(nanoseconds & 0xffff_ffffn))
    expect(Sample.toObject(Sample.decode(Buffer.concat(out.take())), { longs: String })).toEqual({
      fixed64: `${nanoseconds}`,
    })
  })

  it('encodes a lone surrogate as U+FFFD', () => {
    expect(Sample.decode(encode({ string: 'a\ud800b' })).toJSON()).toEqual({ string: 'a\ufffdb' })
  })

  it('writes messages after their lengths, which protobufjs reads one by one', () => {
    const out = new ProtobufWriter()
    const samples: readonly SampleFields[] = [{ varint: 1 }, {}, { string: 'z'.repeat(70_000) }, { double: 0.5 }]
    for (const fields of samples) {
      const token = out.beginDelimited()
      write(out, fields)
      out.end(token)
    }
    const reader = protobuf.Reader.create(Buffer.concat(out.take()))
    const read = samples.map(() => Buffer.from(Sample.encode(Sample.decodeDelimited(reader)).finish()))
    expect(read).toEqual(samples.map(expected))
    expect(reader.pos).toBe(reader.len)
  })

  it('copies fields that are encoded already', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        const out = new ProtobufWriter()
        out.varint(1, 1)
        out.raw(value)
        expect(Buffer.concat(out.take())).toEqual(Buffer.concat([Buffer.from([8, 1]), value]))
      }),
    )
  })

  it('copies fields with other doubles in them', () => {
    const fields: SampleFields = { string: 'a', double: 1, nested: [{ double: 2 }, { string: 'b'.repeat(100) }] }
    const encoded = encode(fields)
    const places = [1, 2].map((double) => {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(double)
      return encoded.indexOf(bytes)
    })
    const out = new ProtobufWriter()
    out.varint(1, 1)
    out.rawWithDoubles(encoded, places, [0.5, -3])
    const copied = { varint: 1, ...fields, double: 0.5, nested: [{ double: -3 }, { string: 'b'.repeat(100) }] }
    expect(Buffer.concat(out.take()).equals(expected(copied))).toBe(true)
  })

  it('copies a part of fields that are encoded already', () => {
    const out = new ProtobufWriter()
    out.raw(Buffer.from('abcdef'), 2, 4)
    out.raw(Buffer.alloc(200, 'x'), 100, 170)
    expect(Buffer.concat(out.take()).toString()).toBe(`cd${'x'.repeat(70)}`)
  })

  it('reuses the memory of a chunk when all pieces of it have been given back', () => {
    const out = new ProtobufWriter()
    const fields = { nested: [{ nested: Array(200).fill({ string: 'x'.repeat(1_000) }) }] }
    write(out, { string: 'before' })
    write(out, fields)
    const pieces = out.take()
    const [first] = pieces
    const rest = pieces.slice(1)
    expect(rest.some(({ buffer }) => buffer === first?.buffer)).toBe(true)
    out.reuse(rest)
    write(out, fields)
    const taken = out.take()
    expect(taken.some(({ buffer }) => buffer === first?.buffer)).toBe(false)
    expect(first?.toString()).toBe(
      encode({ string: 'before' })
        .toString()
        .concat(String(first?.subarray(8))),
    )
    if (first !== undefined) out.reuse([first])
    write(out, fields)
    const again = out.take()
    expect(again.some(({ buffer }) => buffer === first?.buffer)).toBe(true)
    expect(Buffer.concat(again).equals(expected(fields))).toBe(true)
  })

  it('is empty after its bytes were taken, and refuses to give an unfinished message', () => {
    const out = new ProtobufWriter()
    expect(out.take()).toEqual([])
    const token = out.begin(1)
    expect(() => out.take()).toThrow('ProtobufWriter: take: expected no open message, received 1')
    out.end(token)
    expect(out.length).toBe(2)
    expect(out.take()).toEqual([Buffer.from([10, 0])])
    expect(out.length).toBe(0)
  })
})

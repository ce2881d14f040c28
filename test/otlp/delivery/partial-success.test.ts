import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPartialSuccess } from '../../../src/otlp/delivery/receiver-response.ts'
import { encodePartialSuccess } from '../../support/otlp/decode.ts'

describe('readPartialSuccess', () => {
  it.each(['/v1/traces', '/v1/metrics'])('parses the encoding of another implementation for %s', (path) => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ unit: 'binary' }), (rejected, message) => {
        const read = readPartialSuccess(encodePartialSuccess(path, rejected, message))
        expect(read).toEqual(rejected === 0 && message === '' ? undefined : { rejected, message })
      }),
    )
  })

  it('returns undefined for empty content', () => {
    expect(readPartialSuccess(new Uint8Array())).toBeUndefined()
  })

  it('skips unknown fields', () => {
    const known = encodePartialSuccess('/v1/traces', 3, 'x')
    const [varint, fixed64, bytes, fixed32] = [
      [0x78, 0x80, 0x01],
      [0x79, ...new Array(8).fill(9)],
      [0x7a, 1, 9],
      [0x7d, 1, 2, 3, 4],
    ]
    const around = Uint8Array.from([...varint, ...fixed64, ...known, ...bytes, ...fixed32] as number[])
    expect(readPartialSuccess(around)).toEqual({ rejected: 3, message: 'x' })
  })

  it('returns undefined for malformed content, and never throws', () => {
    expect(readPartialSuccess(new TextEncoder().encode('{"ok":1}'))).toBeUndefined()
    expect(readPartialSuccess(encodePartialSuccess('/v1/traces', 300, 'message').subarray(0, -1))).toBeUndefined()
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readPartialSuccess(bytes)))
  })
})

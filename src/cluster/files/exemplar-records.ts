import { failure } from '../../base/errors.ts'
import type { MemberExemplar } from '../member-image.ts'
import { limits } from './file-layout.ts'

/** Value (8), time (8), index of the series (4), bucket (4), trace id (32), span id (16). */
export const exemplarBytes = 72

/** Returns the records of the first 1,024 exemplars. Those without valid identifiers are left out. */
export function encodeExemplars(exemplars: readonly MemberExemplar[]): Buffer {
  const bytes = Buffer.alloc(Math.min(exemplars.length, limits.exemplars) * exemplarBytes)
  let at = 0
  for (const { series, bucket, exemplar } of exemplars) {
    if (at === bytes.length) break
    const { value, timestamp, traceId, spanId } = exemplar
    if (!isHex(traceId, 32) || !isHex(spanId, 16)) continue
    bytes.writeDoubleLE(value, at)
    bytes.writeDoubleLE(timestamp, at + 8)
    bytes.writeUInt32LE(series, at + 16)
    bytes.writeUInt32LE(bucket, at + 20)
    bytes.write(traceId, at + 24, 'latin1')
    bytes.write(spanId, at + 56, 'latin1')
    at += exemplarBytes
  }
  return bytes.subarray(0, at)
}

/** Reads the records of intact bytes. Throws if one is invalid. */
export function decodeExemplars(bytes: Buffer): readonly MemberExemplar[] {
  return Array.from({ length: bytes.length / exemplarBytes }, (_, index) => {
    const at = index * exemplarBytes
    const traceId = bytes.toString('latin1', at + 24, at + 56)
    const spanId = bytes.toString('latin1', at + 56, at + exemplarBytes)
    if (!isHex(traceId, 32) || !isHex(spanId, 16)) throw failure('UPKEEP_ECLUSTER', 'invalid exemplar')
    return {
      series: bytes.readUInt32LE(at + 16),
      bucket: bytes.readUInt32LE(at + 20),
      exemplar: { value: bytes.readDoubleLE(at), timestamp: bytes.readDoubleLE(at + 8), traceId, spanId },
    }
  })
}

/** Returns whether two lists have the same records: an exemplar is never changed, only replaced. */
export function areSameExemplars(a: readonly MemberExemplar[], b: readonly MemberExemplar[]): boolean {
  if (a.length !== b.length) return false
  return a.every(({ series, bucket, exemplar }, at) => {
    const other = b[at]
    return series === other?.series && bucket === other.bucket && exemplar === other.exemplar
  })
}

function isHex(text: string, length: number): boolean {
  if (text.length !== length) return false
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (!((code >= 48 && code <= 57) || (code >= 97 && code <= 102))) return false
  }
  return true
}

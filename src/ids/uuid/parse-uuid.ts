import { millisecondsBefore1970 } from './gregorian-time.ts'
import { readUuid } from './uuid-bytes.ts'
import { maxUuid, nilUuid } from './uuid-constants.ts'

/** The variant of a UUID, which defines its layout. RFC 9562 §4.1. */
export type UuidVariant = 'ncs' | 'rfc9562' | 'microsoft' | 'future'

/** The properties of every parsed UUID. */
export interface UuidBase {
  /** The UUID in 36 lower-case characters. */
  readonly text: string
  /** 0 to 15: the bits of the version, which have a meaning in the variant `rfc9562` only. */
  readonly version: number
  readonly variant: UuidVariant
  readonly bytes: Uint8Array
}

/** Version 1 or 6. */
export interface GregorianUuid extends UuidBase {
  readonly kind: 'gregorian'
  /** Whole milliseconds since 1970-01-01T00:00:00Z; negative before. */
  readonly timestamp: number
  /** The exact time: steps of 100 nanoseconds since 1582-10-15T00:00:00Z. */
  readonly ticks: bigint
  /** 0 to 16383. */
  readonly clockSequence: number
  /** 12 hexadecimal digits: a MAC address, or a random number with the multicast bit set. */
  readonly node: string
}

/** Version 7. */
export interface UnixUuid extends UuidBase {
  readonly kind: 'unix'
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number
}

/**
 * A UUID without a timestamp: the nil and the max UUID; `name`, versions 3 (MD5) and 5 (SHA-1); `random`, version 4;
 * `custom`, version 8; `other`, unknown versions and variants.
 */
export interface OpaqueUuid extends UuidBase {
  readonly kind: 'nil' | 'max' | 'name' | 'random' | 'custom' | 'other'
}

/** A parsed UUID, by `kind`. */
export type Uuid = GregorianUuid | UnixUuid | OpaqueUuid

/** Forms that are accepted in addition to 36 lower-case characters. */
export interface UuidForms {
  /** `F81D4FAE-7DEC-…` @default false */
  readonly upperCase?: boolean
  /** `{f81d4fae-7dec-…}` @default false */
  readonly braces?: boolean
  /** `urn:uuid:f81d4fae-7dec-…`, its prefix in any case @default false */
  readonly urn?: boolean
  /** `f81d4fae7dec…`, 32 digits without hyphens @default false */
  readonly bare?: boolean
}

/** Parses a UUID. Returns `undefined` if the text is not a UUID. RFC 9562 §4 and §5. */
export function parseUuid(text: string, forms?: UuidForms): Uuid | undefined {
  const plain = forms === undefined ? text : plainForm(text, forms)
  const bytes = readUuid(plain)
  if (bytes === undefined) return undefined
  const version = (bytes[6] ?? 0) >>> 4
  const variant = variantOf(bytes[8] ?? 0)
  const kind = kindOf(plain, version, variant)
  switch (kind) {
    case 'gregorian':
      return { kind, text: plain, version, variant, bytes, ...gregorianFields(plain, version) }
    case 'unix':
      return { kind, text: plain, version, variant, bytes, timestamp: unixMilliseconds(bytes) }
    default:
      return { kind, text: plain, version, variant, bytes }
  }
}

const urnPrefix = 'urn:uuid:'

function plainForm(text: string, { upperCase, braces, urn, bare }: UuidForms): string {
  let plain = text
  if (urn && plain.slice(0, urnPrefix.length).toLowerCase() === urnPrefix) plain = plain.slice(urnPrefix.length)
  else if (braces && plain.startsWith('{') && plain.endsWith('}')) plain = plain.slice(1, -1)
  if (bare && plain.length === 32) {
    plain = [plain.slice(0, 8), plain.slice(8, 12), plain.slice(12, 16), plain.slice(16, 20), plain.slice(20)].join('-')
  }
  return upperCase ? plain.toLowerCase() : plain
}

function variantOf(byte: number): UuidVariant {
  if (byte < 0x80) return 'ncs'
  if (byte < 0xc0) return 'rfc9562'
  return byte < 0xe0 ? 'microsoft' : 'future'
}

function kindOf(text: string, version: number, variant: UuidVariant): Uuid['kind'] {
  if (variant === 'rfc9562') return kinds[version] ?? 'other'
  if (text === nilUuid) return 'nil'
  return text === maxUuid ? 'max' : 'other'
}

const kinds: readonly Uuid['kind'][] = [
  'other',
  'gregorian',
  'other',
  'name',
  'random',
  'name',
  'gregorian',
  'unix',
  'custom',
]

function gregorianFields(text: string, version: number) {
  const [first, second, third] = [text.slice(0, 8), text.slice(9, 13), text.slice(15, 18)]
  const ticks = BigInt(`0x${version === 1 ? third + second + first : first + second + third}`)
  return {
    ticks,
    timestamp: Number(ticks / 10_000n) - millisecondsBefore1970,
    clockSequence: Number.parseInt(text.slice(19, 23), 16) & 0x3fff,
    node: text.slice(24),
  }
}

function unixMilliseconds(bytes: Uint8Array): number {
  let milliseconds = 0
  for (let index = 0; index < 6; index += 1) milliseconds = milliseconds * 0x100 + (bytes[index] ?? 0)
  return milliseconds
}

/** The UUID of 128 zero bits. RFC 9562 §5.9. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The UUID of 128 one bits, which sorts after all others. RFC 9562 §5.10. */
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The predefined namespaces for `uuidV5` and `uuidV3`. RFC 9562 §6.6. */
export const uuidNamespaces = {
  /** Fully qualified domain names, such as `www.example.com`. */
  DNS: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  /** URLs. */
  URL: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  /** Object identifiers, such as `1.3.6.1`. */
  OID: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  /** X.500 distinguished names, in DER or as text. */
  X500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
} as const

/** The namespaces that everyone knows, for `uuidV5` and `uuidV3`. RFC 9562 §6.6. */
export const uuidNamespaces = {
  /** Of fully qualified domain names: `www.example.com`. */
  DNS: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  /** Of URLs. */
  URL: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  /** Of object identifiers: `1.3.6.1`. */
  OID: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  /** Of X.500 distinguished names, in DER or as text. */
  X500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
} as const

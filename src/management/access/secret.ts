import { lazy } from '../../base/lazy.ts'

const crypto = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:crypto'))

/**
 * Returns the digest of a secret. All digests have the same length, so that a comparison does not reveal that of a
 * secret.
 */
export function digestSecret(secret: string): Buffer {
  return crypto().createHash('sha256').update(secret, 'utf8').digest()
}

/** Compares two digests in constant time. */
export function isSameSecret(one: Buffer, other: Buffer): boolean {
  return crypto().timingSafeEqual(one, other)
}

import { lazy } from '../../base/lazy.ts'

const crypto = lazy(() => process.getBuiltinModule('node:crypto'))

/** The digest of a secret: as long for one as for another, so that comparing two tells nothing of their lengths. */
export function digestSecret(secret: string): Buffer {
  return crypto().createHash('sha256').update(secret, 'utf8').digest()
}

/** Compares two digests in a time that does not depend on where they differ. */
export function isSameSecret(one: Buffer, other: Buffer): boolean {
  return crypto().timingSafeEqual(one, other)
}

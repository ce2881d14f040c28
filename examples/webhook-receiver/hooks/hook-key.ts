import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

// 32 characters, so that a random byte's lowest five bits choose one without a bias; no l, no 0, no 1 to misread.
const alphabet = 'abcdefghijkmnopqrstuvwxyz2345678'

/** Returns a new hook key: 26 characters that encode 130 bits from a cryptographic generator. */
export function createHookKey(): string {
  return Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('')
}

/** Whether a string has the form of a hook key. */
export function isHookKey(text: string): boolean {
  return /^[a-z2-8]{26}$/.test(text)
}

/**
 * Returns the stored form of a key: its SHA-256 in hexadecimal. Read access to the database does not allow posting, and
 * the duration of a look-up does not reveal anything about the key.
 */
export function hashHookKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')]
  return a.length === 32 && a.length === b.length && timingSafeEqual(a, b)
}

/** Returns a new signing secret in the format of Standard Webhooks: 32 bytes from a cryptographic generator. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

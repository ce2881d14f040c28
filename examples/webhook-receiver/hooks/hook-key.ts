import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

// 32 characters, so that a random byte's lowest five bits choose one without a bias; no l, no 0, no 1 to misread.
const alphabet = 'abcdefghijkmnopqrstuvwxyz2345678'

/** A new hook key: 26 characters that stand for 130 bits from a cryptographic generator. */
export function createHookKey(): string {
  return Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('')
}

/** Whether a text could be a hook key, before anyone looks it up. */
export function isHookKey(text: string): boolean {
  return /^[a-z2-8]{26}$/.test(text)
}

/**
 * What is stored of a key: its SHA-256 in hexadecimal. Whoever reads the database cannot post, and a look-up by it
 * tells an observer of its duration nothing about the key.
 */
export function hashHookKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Whether two hashes are the same, in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')]
  return a.length === 32 && a.length === b.length && timingSafeEqual(a, b)
}

/** A new secret to sign messages with, as Standard Webhooks writes one: 32 bytes from a cryptographic generator. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

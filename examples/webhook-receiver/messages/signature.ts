import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from 'upkeep'

export interface SignatureOptions {
  /** How far a sender's clock and a message's way may take it from now. */
  readonly toleranceSeconds: number
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Checks that a body was signed with a hook's secret, and not long ago, as Standard Webhooks has it
 * (https://www.standardwebhooks.com): `webhook-signature` holds `v1,` and the base64 of the HMAC-SHA-256 of
 * `<webhook-id>.<webhook-timestamp>.<body>`, one for each secret that the sender has. The same message sent again has
 * the same `webhook-id`, and is stored once.
 *
 * @throws HttpError 401 that says what is missing or wrong, and never by how much.
 */
export function requireSignature(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  { toleranceSeconds, now = Date.now }: SignatureOptions,
): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    throw unsigned('This hook takes signed messages: webhook-id, webhook-timestamp and webhook-signature are needed.')
  }
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw unsigned(`The webhook-timestamp must be within ${toleranceSeconds} seconds of now, in seconds since 1970.`)
  }
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = signatures.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return each.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) throw unsigned('The webhook-signature is not that of this body with the secret of this hook.')
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}

function unsigned(detail: string): HttpError {
  return new HttpError(401, detail, { headers: { 'WWW-Authenticate': 'Webhook-Signature' } })
}

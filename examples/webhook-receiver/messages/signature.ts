import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from 'upkeep'

export interface SignatureOptions {
  /** The maximum difference between the timestamp of a message and the current time. */
  readonly toleranceSeconds: number
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Checks that a body was recently signed with a hook's secret, as specified by Standard Webhooks
 * (https://www.standardwebhooks.com). `webhook-signature` contains `v1,` and the base64 of the HMAC-SHA-256 of
 * `<webhook-id>.<webhook-timestamp>.<body>`, once per secret of the sender. A repeated message has the same
 * `webhook-id` and is stored once.
 *
 * @throws HttpError 401 that names the missing or invalid field, without further details.
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

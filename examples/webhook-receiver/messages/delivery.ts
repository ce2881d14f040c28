import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from 'upkeep'

/** One delivery of a message, which senders repeat when they get no response. */
export interface Delivery {
  readonly id: string
  /** In hexadecimal. */
  readonly bodySha256: string
}

/**
 * Where senders say which delivery it is; the first that is present counts. Both are header fields of a specification
 * that is made for this: the IETF's Idempotency-Key, and Standard Webhooks.
 */
const fields = ['idempotency-key', 'webhook-id'] as const

/**
 * Returns which delivery a request is, or `undefined` when its sender does not say. Of a signed message it is
 * `webhook-id` and nothing else: a field that the signature does not cover would let anyone who has seen the message
 * send it again. An `Idempotency-Key` may be quoted, as its specification has it, or not.
 *
 * @throws HttpError 400 when it is not 1 to 255 visible ASCII characters.
 */
export function deliveryOf(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  { isSigned }: { readonly isSigned: boolean },
): Delivery | undefined {
  const field = isSigned ? 'webhook-id' : fields.find((name) => headers[name] !== undefined)
  if (field === undefined) return undefined
  const text = String(headers[field])
  const id = (field === 'idempotency-key' ? /^"(.*)"$/.exec(text)?.[1] : undefined) ?? text
  if (!/^[\x21-\x7e]{1,255}$/.test(id)) {
    throw new HttpError(400, `The header ${field} must be 1 to 255 visible ASCII characters.`)
  }
  return { id, bodySha256: createHash('sha256').update(body).digest('hex') }
}

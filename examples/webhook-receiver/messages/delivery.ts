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
 * The header fields that identify a delivery, in order of precedence. Both are standardized for this purpose: by the
 * IETF draft of Idempotency-Key, and by Standard Webhooks.
 */
const fields = ['idempotency-key', 'webhook-id'] as const

/**
 * Returns the id of a delivery, or `undefined` if its sender does not send one. For a signed message only `webhook-id`
 * is read: a field that the signature does not cover would allow replays. An `Idempotency-Key` may be quoted, as its
 * specification requires, or not.
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

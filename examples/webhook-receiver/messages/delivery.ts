import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from 'upkeep'

/** One delivery of a message, which senders repeat when they hear no answer. */
export interface Delivery {
  readonly id: string
  /** In hexadecimal. */
  readonly bodySha256: string
}

/** Where senders say which delivery it is; the first that is there counts. */
const fields = ['idempotency-key', 'webhook-id', 'x-github-delivery'] as const

/**
 * Which delivery a request is, or `undefined` when its sender does not say. An `Idempotency-Key` may stand in quotes, as its
 * standard has it, or without.
 *
 * @throws HttpError 400 when it is not 1 to 255 visible ASCII characters.
 */
export function deliveryOf(headers: IncomingHttpHeaders, body: Uint8Array): Delivery | undefined {
  const field = fields.find((name) => headers[name] !== undefined)
  if (field === undefined) return undefined
  const text = String(headers[field])
  const id = /^"(.*)"$/.exec(text)?.[1] ?? text
  if (!/^[\x21-\x7e]{1,255}$/.test(id)) {
    throw new HttpError(400, `The header ${field} must be 1 to 255 visible ASCII characters.`)
  }
  return { id, bodySha256: createHash('sha256').update(body).digest('hex') }
}

import { HttpError, uuidV7 } from 'upkeep'
import type { Query } from '../database/database.ts'
import type { Hook } from '../hooks/hooks.ts'
import type { Delivery } from './delivery.ts'
import type { Message } from './parse-message.ts'

/** Whether a message is new, or was stored before, by an earlier delivery of the same. */
export type Stored = 'stored' | 'repeated'

/**
 * Stores a message. It is committed when the promise resolves. Of several deliveries of one message, one stores it.
 *
 * @throws HttpError 422 when the delivery's id was used for another body.
 */
export async function storeMessage(
  query: Query,
  hook: Hook,
  message: Message,
  delivery: Delivery | undefined,
): Promise<Stored> {
  const inserted = await query(insert, [
    uuidV7(),
    hook.id,
    message.text,
    message.username ?? null,
    message.channel ?? null,
    message.iconUrl ?? null,
    message.iconEmoji ?? null,
    message.attachments === undefined ? null : JSON.stringify(message.attachments),
    message.props === undefined ? null : JSON.stringify(message.props),
    delivery?.id ?? null,
    delivery?.bodySha256 ?? null,
  ])
  if (inserted.length > 0 || delivery === undefined) return 'stored'
  const [earlier] = await query<{ readonly body_sha256: string }>(
    'select body_sha256 from messages where hook_id = $1 and delivery_id = $2',
    [hook.id, delivery.id],
  )
  if (earlier?.body_sha256 === delivery.bodySha256) return 'repeated'
  throw new HttpError(422, 'This delivery has been received with another body. A new message needs a new id.')
}

const insert = `insert into messages
  (id, hook_id, text, username, channel, icon_url, icon_emoji, attachments, props, delivery_id, body_sha256)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (hook_id, delivery_id) where delivery_id is not null do nothing
  returning id`

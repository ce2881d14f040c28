import { HttpError } from 'upkeep'
import { uuidV7 } from 'upkeep/ids'
import type { Query } from '../database/database.ts'
import type { Hook } from '../hooks/hooks.ts'
import type { Delivery } from './delivery.ts'
import { createInserts } from './insert-together.ts'
import type { Message } from './parse-message.ts'

/** Whether a message is new, or was stored before, by an earlier delivery of the same. */
export type Stored = 'stored' | 'repeated'

/**
 * Stores a message. It is committed when the promise resolves. Of several deliveries of one message, one stores it. A
 * message that has to wait is dropped when `isAbandoned` returns `true`.
 */
export type StoreMessage = (
  hook: Hook,
  message: Message,
  delivery: Delivery | undefined,
  isAbandoned: () => boolean,
) => Promise<Stored>

/** @throws HttpError 422 when the delivery's id was used for another body, 503 when the queue is full. */
export function createMessageStore(query: Query): StoreMessage {
  const insert = createInserts(query)
  return async (hook, message, delivery, isAbandoned) => {
    const row = {
      id: uuidV7(),
      hookId: hook.id,
      text: message.text,
      username: message.username ?? null,
      channel: message.channel ?? null,
      iconUrl: message.iconUrl ?? null,
      iconEmoji: message.iconEmoji ?? null,
      attachments: message.attachments === undefined ? null : JSON.stringify(message.attachments),
      props: message.props === undefined ? null : JSON.stringify(message.props),
      deliveryId: delivery?.id ?? null,
      bodySha256: delivery?.bodySha256 ?? null,
    }
    const isNew = await insert(row, isAbandoned)
    if (isNew || delivery === undefined) return 'stored'
    const [earlier] = await query<{ readonly body_sha256: string }>(
      'select body_sha256 from messages where hook_id = $1 and delivery_id = $2',
      [hook.id, delivery.id],
    )
    if (earlier?.body_sha256 === delivery.bodySha256) return 'repeated'
    throw new HttpError(422, 'This delivery has been received with another body. A new message needs a new id.')
  }
}

import type { Query } from '../database/database.ts'
import { utc } from '../hooks/managed-hooks.ts'

/** A message as its operator sees it. Members that its sender did not send are absent. */
export interface StoredMessage {
  readonly id: string
  readonly text: string
  readonly receivedAt: string
  readonly username?: string | undefined
  readonly channel?: string | undefined
  readonly iconUrl?: string | undefined
  readonly iconEmoji?: string | undefined
  readonly attachments?: readonly Record<string, unknown>[] | undefined
  readonly props?: Record<string, unknown> | undefined
  readonly deliveryId?: string | undefined
}

/** Filters of messages, all of which must match. */
export interface MessageFilters {
  /** A substring of the text, case-insensitive according to the locale of the database. */
  readonly text?: string | undefined
  readonly username?: string | undefined
  readonly channel?: string | undefined
  readonly receivedSince?: string | undefined
  readonly receivedBefore?: string | undefined
}

interface Row {
  readonly message: StoredMessage
}

// As JSON: a text that is read by itself can lose a byte order mark at its front.
const select = `select jsonb_strip_nulls(jsonb_build_object('id', id, 'receivedAt', received_at, 'username', username,
    'channel', channel, 'iconUrl', icon_url, 'iconEmoji', icon_emoji, 'deliveryId', delivery_id))
  || jsonb_build_object('text', text)
  || case when attachments is null then '{}' else jsonb_build_object('attachments', attachments) end
  || case when props is null then '{}' else jsonb_build_object('props', props) end as message
  from messages`

/** One message of a hook, or `undefined`. */
export async function readMessage(query: Query, hookId: string, id: string): Promise<StoredMessage | undefined> {
  const [row] = await query<Row>(`${select} where hook_id = $1 and id = $2`, [hookId, id])
  return row && inUtc(row)
}

/** Messages of a hook, the newest first. */
export async function listMessages(
  query: Query,
  hookId: string,
  { text, username, channel, receivedSince, receivedBefore }: MessageFilters,
  { size, startIndex }: { readonly size: number; readonly startIndex: number },
): Promise<readonly StoredMessage[]> {
  const conditions: readonly (readonly [string, unknown])[] = [
    ['strpos(lower(text), lower($)) > 0', text],
    ['username = $', username],
    ['channel = $', channel],
    ['received_at >= $::timestamptz', receivedSince],
    ['received_at < $::timestamptz', receivedBefore],
  ]
  const held = conditions.filter(([, value]) => value !== undefined)
  const where = held.map(([condition], at) => ` and ${condition.replace('$', `$${at + 4}`)}`).join('')
  const rows = await query<Row>(
    `${select} where hook_id = $1${where} order by received_at desc, id desc limit $2 offset $3`,
    [hookId, size, startIndex, ...held.map(([, value]) => value)],
  )
  return rows.map(inUtc)
}

function inUtc({ message }: Row): StoredMessage {
  return { ...message, receivedAt: utc(message.receivedAt) }
}

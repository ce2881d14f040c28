import { isHttpError } from 'upkeep'
import type { Query } from '../database/database.ts'

/** One message as it is stored; what is `null` was not said. */
export interface MessageRow {
  readonly id: string
  readonly hookId: string
  readonly text: string
  readonly username: string | null
  readonly channel: string | null
  readonly iconUrl: string | null
  readonly iconEmoji: string | null
  readonly attachments: string | null
  readonly props: string | null
  readonly deliveryId: string | null
  readonly bodySha256: string | null
}

interface Waiting {
  readonly row: MessageRow
  readonly resolve: (isNew: boolean) => void
  readonly reject: (error: unknown) => void
}

const mostAtOnce = 100

/**
 * Inserts messages, those that arrive while others are being stored together by one statement. It waits for none: what
 * comes when nothing is being stored is stored at once. Resolves when the message is committed, by whether it is new or
 * its delivery was there before.
 */
export function createInserts(query: Query): (row: MessageRow) => Promise<boolean> {
  const queue: Waiting[] = []
  let isStoring = false

  const insertAll = async (waiting: readonly Waiting[]): Promise<void> => {
    try {
      const columns = columnsOf(waiting.map(({ row }) => row))
      const inserted = new Set((await query<{ readonly id: string }>(insert, columns)).map(({ id }) => id))
      for (const { row, resolve } of waiting) resolve(inserted.has(row.id))
    } catch (error) {
      // The fault of one is not that of the others.
      if (waiting.length > 1 && isFaultOfRow(error)) for (const each of waiting) await insertAll([each])
      else for (const { reject } of waiting) reject(error)
    }
  }
  const work = async (): Promise<void> => {
    isStoring = true
    while (queue.length > 0) await insertAll(queue.splice(0, mostAtOnce))
    isStoring = false
  }
  return (row) =>
    new Promise((resolve, reject) => {
      queue.push({ row, resolve, reject })
      if (!isStoring) void work()
    })
}

const insert = `insert into messages
  (id, hook_id, text, username, channel, icon_url, icon_emoji, attachments, props, delivery_id, body_sha256)
  select id, hook_id, text, username, channel, icon_url, icon_emoji, attachments::jsonb, props::jsonb, delivery_id, body_sha256
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[])
    as sent (id, hook_id, text, username, channel, icon_url, icon_emoji, attachments, props, delivery_id, body_sha256)
  on conflict (hook_id, delivery_id) where delivery_id is not null do nothing
  returning id`

function columnsOf(rows: readonly MessageRow[]): readonly (readonly (string | null)[])[] {
  const column = (name: keyof MessageRow) => rows.map((row) => row[name])
  return [
    column('id'),
    column('hookId'),
    column('text'),
    column('username'),
    column('channel'),
    column('iconUrl'),
    column('iconEmoji'),
    column('attachments'),
    column('props'),
    column('deliveryId'),
    column('bodySha256'),
  ]
}

/** Data and integrity (SQLSTATE classes 22 and 23), such as of a hook that was removed a moment ago. */
function isFaultOfRow(error: unknown): boolean {
  const cause = isHttpError(error) && error instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && /^2[23]/.test(String(cause.code))
}

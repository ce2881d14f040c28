import { HttpError, isHttpError } from 'upkeep'
import type { Query } from '../database/database.ts'
import { unavailable } from '../database/refuse-while-unavailable.ts'

/** One message as it is stored; `null` is what its sender did not send. */
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
  readonly size: number
  readonly isAbandoned: () => boolean
  readonly resolve: (isNew: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores a message. Resolves when it is committed: with `true` when it is new, with `false` when its delivery was
 * stored before. A message for which `isAbandoned` returns `true` before its turn comes is dropped.
 */
export type Insert = (row: MessageRow, isAbandoned?: () => boolean) => Promise<boolean>

const maxBatch = 100
const maxQueued = 1_000
/** In UTF-16 code units; one message may be longer by itself. */
const maxQueuedSize = 16 * 1_024 * 1_024

/**
 * Inserts messages; those that arrive while others are being stored are queued and stored together by one statement.
 * When the database does not keep up, the queue fills, and messages are rejected at once.
 */
export function createInserts(query: Query): Insert {
  const queue: Waiting[] = []
  let queuedSize = 0
  let isStoring = false

  const take = (count: number): readonly Waiting[] => {
    const taken = queue.splice(0, count)
    for (const { size } of taken) queuedSize -= size
    return taken
  }
  const store = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const columns = columnsOf(batch.map(({ row }) => row))
      const inserted = new Set((await query<{ readonly id: string }>(insert, columns)).map(({ id }) => id))
      for (const { row, resolve } of batch) resolve(inserted.has(row.id))
    } catch (error) {
      if (!isFaultOfRow(error)) throw error
      // An invalid message must not affect the others.
      if (batch.length > 1) for (const each of batch) await store([each])
      else for (const { reject } of batch) reject(error)
    }
  }
  const work = async (): Promise<void> => {
    isStoring = true
    while (queue.length > 0) {
      const batch = take(maxBatch).filter(isAwaited)
      const queuedBefore = queue.length
      try {
        if (batch.length > 0) await store(batch)
      } catch (error) {
        // What was queued before the statement has waited as long as it did: with a statement each, the last of a
        // thousand would be rejected after a hundred seconds.
        for (const { reject } of [...batch, ...take(queuedBefore)]) reject(error)
      }
    }
    isStoring = false
  }
  return (row, isAbandoned = () => false) =>
    new Promise((resolve, reject) => {
      const size = sizeOf(row)
      if (queue.length >= maxQueued || (queue.length > 0 && queuedSize + size > maxQueuedSize)) {
        reject(unavailable(new Error('the queue of messages is full')))
        return
      }
      queue.push({ row, size, isAbandoned, resolve, reject })
      queuedSize += size
      if (!isStoring) void work()
    })
}

/** Rejects a message whose sender no longer waits. It may send the same message again. */
function isAwaited({ isAbandoned, reject }: Waiting): boolean {
  if (!isAbandoned()) return true
  reject(new HttpError(400, 'The request was aborted.'))
  return false
}

function sizeOf({ text, attachments, props }: MessageRow): number {
  return text.length + (attachments?.length ?? 0) + (props?.length ?? 0)
}

const insert = `insert into messages
  (id, hook_id, text, username, channel, icon_url, icon_emoji, attachments, props, delivery_id, body_sha256)
  select id, hook_id, text, username, channel, icon_url, icon_emoji, attachments::jsonb, props::jsonb, delivery_id,
    body_sha256
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[],
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

/**
 * Whether the data is at fault (SQLSTATE classes 22 and 23), such as the id of a hook that was removed a moment ago.
 */
function isFaultOfRow(error: unknown): boolean {
  const cause = isHttpError(error) && error instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && /^2[23]/.test(String(cause.code))
}

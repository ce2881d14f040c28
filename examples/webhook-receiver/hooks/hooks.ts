import { uuidV7 } from 'upkeep/ids'
import type { Database, Query } from '../database/database.ts'
import { createHookKey, createSigningSecret, hashHookKey, isHookKey, isSameHash } from './hook-key.ts'

/** A hook, to which messages are posted. */
export interface Hook {
  readonly id: string
  /** A name for people; may be empty. */
  readonly name: string
  /** A disabled hook refuses messages. */
  readonly enabled: boolean
  /** If present, senders must sign messages with it. */
  readonly signingSecret: string | undefined
}

/** A new hook and its secrets, which cannot be read again. */
export interface NewHook {
  readonly id: string
  readonly key: string
  readonly signingSecret: string | undefined
}

/** The properties of a hook that its operator sets. */
export interface HookSettings {
  readonly name: string
  readonly enabled: boolean
  /** Whether its messages have to be signed. */
  readonly signed: boolean
}

interface HookRow {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly signing_secret: string | null
  readonly key_sha256: string
}

/** Returns the hook of a key, or `undefined` for an unknown or expired key. */
export async function findHook(query: Query, key: string): Promise<Hook | undefined> {
  if (!isHookKey(key)) return undefined
  const hash = hashHookKey(key)
  // By its hash, so that the duration of a look-up reveals nothing about other keys.
  const [row] = await query<HookRow>(
    `select id, name, enabled, signing_secret, key_sha256 from hook_keys join hooks on id = hook_id
     where key_sha256 = $1 and (expires_at is null or expires_at > now())`,
    [hash],
  )
  if (row === undefined || !isSameHash(row.key_sha256, hash)) return undefined
  return { id: row.id, name: row.name, enabled: row.enabled, signingSecret: row.signing_secret ?? undefined }
}

/** Creates a hook with its first key. */
export async function createHook(
  query: Query,
  { name = '', enabled = true, signed = false }: Partial<HookSettings> = {},
): Promise<NewHook> {
  const signingSecret = signed ? createSigningSecret() : undefined
  const hook = { id: uuidV7(), key: createHookKey(), signingSecret }
  await query(
    `with hook as (insert into hooks (id, name, enabled, signing_secret) values ($1, $2, $3, $4) returning id)
     insert into hook_keys (key_sha256, hook_id) select $5, id from hook`,
    [hook.id, name, enabled, signingSecret ?? null, hashHookKey(hook.key)],
  )
  return hook
}

/**
 * Creates the first hook and returns it, or `undefined` if a hook exists already. If several instances start at once on
 * one database, one of them creates it.
 */
export async function createFirstHook(database: Database): Promise<NewHook | undefined> {
  return database.transaction(async (query) => {
    await query('lock table hooks in exclusive mode')
    return (await countHooks(query)) === 0 ? createHook(query) : undefined
  })
}

export async function countHooks(query: Query): Promise<number> {
  const [row] = await query<{ readonly count: number }>('select count(*)::integer as count from hooks')
  return row?.count ?? 0
}

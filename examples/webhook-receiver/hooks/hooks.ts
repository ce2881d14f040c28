import { uuidV7 } from 'upkeep/ids'
import type { Database, Query } from '../database/database.ts'
import { createHookKey, createSigningSecret, hashHookKey, isHookKey, isSameHash } from './hook-key.ts'

/** What messages are posted to, as whoever receives one needs it. */
export interface Hook {
  readonly id: string
  /** What people call it; may be empty. */
  readonly name: string
  /** One that is not takes no messages. */
  readonly enabled: boolean
  /** Senders sign with it, where there is one. */
  readonly signingSecret: string | undefined
}

/** A hook and the secrets that open it, which nobody can ask for again. */
export interface NewHook {
  readonly id: string
  readonly key: string
  readonly signingSecret: string | undefined
}

/** What its operator decides of a hook. */
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

/** The hook that a key opens, or `undefined` when it opens none. */
export async function findHook(query: Query, key: string): Promise<Hook | undefined> {
  if (!isHookKey(key)) return undefined
  const hash = hashHookKey(key)
  // By its hash: how long a look-up takes tells nothing of a key that was never stored.
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
 * Creates the first hook, and answers its key, or `undefined` when there are hooks already. Of several instances that
 * start at once on one database, one creates it.
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

import { uuidV7 } from 'upkeep'
import type { Database, Query } from '../database/database.ts'
import { createHookKey, hashHookKey, isHookKey } from './hook-key.ts'

/** What messages are posted to. Its keys are told once, when they are made; only their hashes are kept. */
export interface Hook {
  readonly id: string
  /** What people call it; may be empty. */
  readonly name: string
  /** One that is not takes no messages. */
  readonly enabled: boolean
  /** Senders sign with it, where there is one. */
  readonly signingSecret: string | undefined
}

/** A hook and the key that opens it, which nobody can ask for again. */
export interface NewHook {
  readonly id: string
  readonly key: string
}

interface HookRow {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly signing_secret: string | null
}

/** The hook that a key opens, or `undefined` when it opens none. */
export async function findHook(query: Query, key: string): Promise<Hook | undefined> {
  if (!isHookKey(key)) return undefined
  // By its hash: how long a look-up takes tells nothing of a key that was never stored.
  const [row] = await query<HookRow>(
    `select id, name, enabled, signing_secret from hook_keys join hooks on id = hook_id
     where key_sha256 = $1 and (expires_at is null or expires_at > now())`,
    [hashHookKey(key)],
  )
  return row && { id: row.id, name: row.name, enabled: row.enabled, signingSecret: row.signing_secret ?? undefined }
}

/** Creates a hook with its first key. */
export async function createHook(query: Query, name = ''): Promise<NewHook> {
  const hook = { id: uuidV7(), key: createHookKey() }
  await query(
    `with hook as (insert into hooks (id, name) values ($1, $2) returning id)
     insert into hook_keys (key_sha256, hook_id) select $3, id from hook`,
    [hook.id, name, hashHookKey(hook.key)],
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

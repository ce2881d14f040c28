import { randomUUID } from 'node:crypto'
import type { Database, Query } from '../database/database.ts'
import { createHookKey, hashHookKey, isHookKey } from './hook-key.ts'

/** An address that messages are posted to. Its key is told once, when it is created; only the key's hash is kept. */
export interface Hook {
  readonly id: string
}

/** The hook that a key opens, or `undefined` when it opens none. */
export async function findHook(query: Query, key: string): Promise<Hook | undefined> {
  if (!isHookKey(key)) return undefined
  const [hook] = await query<Hook>('select id from hooks where key_sha256 = $1', [hashHookKey(key)])
  return hook
}

/** Creates a hook and answers its key, which nobody can ask for again. */
export async function createHook(query: Query): Promise<string> {
  const key = createHookKey()
  await query('insert into hooks (id, key_sha256) values ($1, $2)', [randomUUID(), hashHookKey(key)])
  return key
}

/**
 * Creates the first hook, and answers its key, or `undefined` when there are hooks already. Of several instances that
 * start at once on one database, one creates it.
 */
export async function createFirstHook(database: Database): Promise<string | undefined> {
  return database.transaction(async (query) => {
    await query('lock table hooks in exclusive mode')
    return (await countHooks(query)) === 0 ? createHook(query) : undefined
  })
}

export async function countHooks(query: Query): Promise<number> {
  const [row] = await query<{ readonly count: number }>('select count(*)::integer as count from hooks')
  return row?.count ?? 0
}

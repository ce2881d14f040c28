import type { Query } from '../database/database.ts'
import { createHookKey, createSigningSecret, hashHookKey } from './hook-key.ts'
import type { HookSettings } from './hooks.ts'

/** A key of a hook, without its secret. */
export interface KnownKey {
  readonly createdAt: string
  /** When it expires, if another key has replaced it. */
  readonly expiresAt: string | null
}

/** A hook as its operator sees it. */
export interface ManagedHook extends HookSettings {
  readonly id: string
  /** The newest first. */
  readonly keys: readonly KnownKey[]
  /** One more than the number of changes. */
  readonly version: number
  readonly createdAt: string
  /** When it was changed, or when a key of it expired. */
  readonly updatedAt: string
}

export interface HookFilters {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
}

/** Manages hooks. A change is applied only to the version that the operator has seen. */
export interface ManagedHooks {
  read(id: string): Promise<ManagedHook | undefined>
  /** In the order in which they were created. */
  list(
    filters: HookFilters,
    page: { readonly size: number; readonly startIndex: number },
  ): Promise<readonly ManagedHook[]>
  count(filters: HookFilters): Promise<number>
  /** Returns whether it was still the version that was seen. */
  replace(seen: ManagedHook, settings: HookSettings): Promise<boolean>
  /** Removes a hook and its messages. Returns whether it was still the version that was seen. */
  remove(seen: ManagedHook): Promise<boolean>
  /**
   * Creates another key; the previous ones expire after `overlapSeconds`. Returns `undefined` if the hook does not
   * exist.
   */
  rotateKey(id: string, overlapSeconds: number): Promise<string | undefined>
  /** Creates a secret, which replaces the previous one. Returns `undefined` if the hook does not exist. */
  rotateSigningSecret(id: string): Promise<string | undefined>
}

export function createManagedHooks(query: Query): ManagedHooks {
  const changed = async (sql: string, parameters: readonly unknown[]) => (await query(sql, parameters)).length > 0
  return {
    async read(id) {
      const [row] = await query<{ readonly hook: ManagedHook }>(`${select} where id = $1`, [id])
      return row && inUtc(row.hook)
    },
    async list({ name, enabled }, { size, startIndex }) {
      const rows = await query<{ readonly hook: ManagedHook }>(
        `${select} ${narrowed} order by created_at, id limit $3 offset $4`,
        [name ?? null, enabled ?? null, size, startIndex],
      )
      return rows.map(({ hook }) => inUtc(hook))
    },
    async count({ name, enabled }) {
      const [row] = await query<{ readonly count: number }>(
        `select count(*)::integer as count from hooks ${narrowed}`,
        [name ?? null, enabled ?? null],
      )
      return row?.count ?? 0
    },
    replace: ({ id, version }, { name, enabled, signed }) =>
      changed(
        `update hooks set name = $3, enabled = $4, signing_secret = case when $5 then signing_secret end,
           version = version + 1, updated_at = now()
         where id = $1 and version = $2 returning id`,
        [id, version, name, enabled, signed],
      ),
    remove: ({ id, version }) =>
      changed('delete from hooks where id = $1 and version = $2 returning id', [id, version]),
    async rotateKey(id, overlapSeconds) {
      const key = createHookKey()
      return (await changed(rotateKey, [id, hashHookKey(key), overlapSeconds])) ? key : undefined
    },
    async rotateSigningSecret(id) {
      const secret = createSigningSecret()
      const sql = `update hooks set signing_secret = $2, version = version + 1, updated_at = now()
        where id = $1 returning id`
      return (await changed(sql, [id, secret])) ? secret : undefined
    },
  }
}

const select = `select jsonb_build_object(
  'id', id, 'name', name, 'enabled', enabled, 'signed', signing_secret is not null,
  'version', version, 'createdAt', created_at, 'updatedAt', greatest(updated_at, (
    select max(k.expires_at) from hook_keys k where k.hook_id = hooks.id and k.expires_at <= now()
  )), 'keys', coalesce((
    select jsonb_agg(
      jsonb_build_object('createdAt', k.created_at, 'expiresAt', k.expires_at) order by k.created_at desc)
    from hook_keys k where k.hook_id = hooks.id and (k.expires_at is null or k.expires_at > now())
  ), '[]')) as hook from hooks`

const narrowed = 'where ($1::text is null or name = $1) and ($2::boolean is null or enabled = $2)'

const rotateKey = `with hook as (
    update hooks set version = version + 1, updated_at = now() where id = $1 returning id
  ), gone as (
    delete from hook_keys using hook where hook_id = hook.id and expires_at <= now()
  ), older as (
    update hook_keys set expires_at = now() + $3::integer * interval '1 second' from hook
    where hook_id = hook.id and (expires_at is null or expires_at > now() + $3::integer * interval '1 second')
  ) insert into hook_keys (key_sha256, hook_id) select $2, id from hook returning hook_id`

/** Databases format times in their configured time zone. */
function inUtc(hook: ManagedHook): ManagedHook {
  const keys = hook.keys.map(({ createdAt, expiresAt }) => ({
    createdAt: utc(createdAt),
    expiresAt: expiresAt === null ? null : utc(expiresAt),
  }))
  return { ...hook, keys, createdAt: utc(hook.createdAt), updatedAt: utc(hook.updatedAt) }
}

/** Returns a time of any offset as ISO 8601 in UTC, with milliseconds. */
export function utc(time: string): string {
  return new Date(time).toISOString()
}

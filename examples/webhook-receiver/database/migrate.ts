import type { Database } from './database.ts'

/** The steps that create the tables, in order. Never change a released step: add another. */
const steps: readonly (readonly string[])[] = [
  [
    `create table hooks (
      id uuid primary key,
      key_sha256 text not null unique,
      created_at timestamptz not null default now()
    )`,
    `create table messages (
      id uuid primary key,
      hook_id uuid not null references hooks (id),
      text text not null,
      received_at timestamptz not null default now()
    )`,
    'create index messages_by_hook on messages (hook_id, received_at, id)',
  ],
  [
    `create table hook_keys (
      key_sha256 text primary key,
      hook_id uuid not null references hooks (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz
    )`,
    'insert into hook_keys (key_sha256, hook_id, created_at) select key_sha256, id, created_at from hooks',
    'alter table hooks drop column key_sha256',
    `alter table hooks
      add column name text not null default '',
      add column enabled boolean not null default true,
      add column signing_secret text,
      add column version integer not null default 1,
      add column updated_at timestamptz not null default now()`,
    'create index hook_keys_by_hook on hook_keys (hook_id)',
    `alter table messages
      add column username text,
      add column channel text,
      add column icon_url text,
      add column icon_emoji text,
      add column attachments jsonb,
      add column props jsonb,
      add column delivery_id text,
      add column body_sha256 text`,
    `create unique index messages_by_delivery on messages (hook_id, delivery_id) where delivery_id is not null`,
  ],
  [
    `alter table messages
      drop constraint messages_hook_id_fkey,
      add constraint messages_hook_id_fkey foreign key (hook_id) references hooks (id) on delete cascade`,
  ],
]

// An arbitrary number that no other program locks in the same database.
const lock = 7_043_310_215

/**
 * Brings the tables up to date. Several instances may start at once on one database: each waits for the previous one.
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [lock])
    await query(`create table if not exists receiver_migrations (
      step integer primary key,
      done_at timestamptz not null default now()
    )`)
    const done = await query<{ readonly step: number }>('select step from receiver_migrations')
    for (const [step, statements] of steps.entries()) {
      if (done.some((each) => each.step === step)) continue
      for (const statement of statements) await query(statement)
      await query('insert into receiver_migrations (step) values ($1)', [step])
    }
  })
}

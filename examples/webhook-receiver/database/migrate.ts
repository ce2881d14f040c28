import type { Database } from './database.ts'

/** The steps that make the tables, in order. A step that has been released is never changed: add another. */
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
]

// Any number that no other program on the same database locks.
const lock = 7_043_310_215

/** Brings the tables up to date. Several instances may start at once on one database: each waits for the one before. */
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

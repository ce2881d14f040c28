// The tables and statements of shop.ts, for PostgreSQL.

export const tables = [
  `create table if not exists orders (id serial primary key, item text not null, cents integer not null,
    status text not null default 'open', placed_at timestamptz not null default now())`,
  'create table if not exists mails (id serial primary key, order_id integer not null)',
]
// One statement: there is no order without its mail.
export const placeWithMail = `with placed as (
    insert into orders (item, cents) values ($1, $2) returning id, item, cents, status
  ), mail as (insert into mails (order_id) select id from placed) select * from placed`
// Several instances take different ones.
export const takeMails = `delete from mails
  where id in (select id from mails order by id limit 10 for update skip locked) returning order_id`
export const closeOld =
  "update orders set status = 'closed' where status = 'open' and placed_at < now() - interval '1 day'"

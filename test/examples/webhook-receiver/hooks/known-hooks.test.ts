import { expect, it, vi } from 'vitest'
import type { Query } from '../../../../examples/webhook-receiver/database/database.ts'
import { createHookKey, hashHookKey } from '../../../../examples/webhook-receiver/hooks/hook-key.ts'
import { createKnownHooks } from '../../../../examples/webhook-receiver/hooks/known-hooks.ts'
import { useFakeTime } from '../../../support/fake-time.ts'

useFakeTime()

/** A database with the hooks of some keys, that counts what it is asked. */
function databaseOf(keys: readonly string[]) {
  const hashes = keys.map(hashHookKey)
  const database = {
    lookUps: 0,
    isAway: false,
    query: (async (_sql: string, [hash]: readonly unknown[] = []) => {
      database.lookUps++
      if (database.isAway) throw new Error('away')
      const id = hashes.indexOf(String(hash))
      return id === -1 ? [] : [{ id: String(id), name: '', enabled: true, signing_secret: null, key_sha256: hash }]
    }) as Query,
  }
  return database
}
const keysOf = (count: number) => Array.from({ length: count }, createHookKey)

it('looks each key up once per second, known or unknown', async () => {
  const [known = '', unknown = ''] = keysOf(2)
  const database = databaseOf([known])
  const hooks = createKnownHooks(database.query)
  const found = await Promise.all([known, unknown, known, unknown].map(hooks.find))
  expect([...found, await hooks.find(known), await hooks.find(unknown)].map((hook) => hook?.id)).toEqual([
    '0',
    undefined,
    '0',
    undefined,
    '0',
    undefined,
  ])
  expect(database.lookUps).toBe(2)
  vi.advanceTimersByTime(1_000)
  for (const key of [known, known]) expect((await hooks.find(key))?.id).toBe('0')
  expect(database.lookUps).toBe(3)
})

it('looks up at most a hundred unknown keys per second, and refuses others', async () => {
  const database = databaseOf([])
  const hooks = createKnownHooks(database.query)
  const settled = await Promise.allSettled(keysOf(500).map(hooks.find))
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(400)
  expect(refused[0]).toMatchObject({ reason: { status: 429, headers: { 'Retry-After': '1' } } })
  expect(database.lookUps).toBe(100)
  vi.advanceTimersByTime(1_000)
  await Promise.all(keysOf(100).map(hooks.find))
  expect(database.lookUps).toBe(200)
})

it('finds recently used hooks regardless of the number of unknown keys', async () => {
  const keys = keysOf(300)
  const database = databaseOf(keys)
  const hooks = createKnownHooks(database.query)
  for (const key of keys) expect(await hooks.find(key)).toBeDefined()
  await Promise.allSettled(keysOf(500).map(hooks.find))
  hooks.forget()
  for (const key of keys) expect(await hooks.find(key)).toBeDefined()
})

it('does not count look-ups that fail', async () => {
  const keys = keysOf(300)
  const database = databaseOf(keys)
  const hooks = createKnownHooks(database.query)
  database.isAway = true
  for (const key of keys) await expect(hooks.find(key)).rejects.toThrow('away')
})

it('discards cached results when a hook is changed', async () => {
  const [key = ''] = keysOf(1)
  const database = databaseOf([key])
  const hooks = createKnownHooks(database.query)
  const before = hooks.find(key)
  hooks.forget()
  await before
  expect(await hooks.find(key)).toBeDefined()
  expect(database.lookUps).toBe(2)
})

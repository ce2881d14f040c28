import { HttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'
import type { Query } from '../../../../examples/webhook-receiver/database/database.ts'
import { createInserts, type MessageRow } from '../../../../examples/webhook-receiver/messages/insert-together.ts'

const rowOf = (id: string): MessageRow => ({
  id,
  hookId: 'h',
  text: id,
  username: null,
  channel: null,
  iconUrl: null,
  iconEmoji: null,
  attachments: null,
  props: null,
  deliveryId: null,
  bodySha256: null,
})
const refusal = (code: string) => new HttpError(503, 'Later.', { cause: Object.assign(new Error('no'), { code }) })

/** A database that notes which messages come together, and does with them what it is told to. */
function databaseOf(insert: (ids: readonly string[]) => readonly string[]): { query: Query; batches: string[][] } {
  const batches: string[][] = []
  const query = async (_sql: string, [ids]: readonly unknown[] = []) => {
    batches.push([...(ids as string[])])
    return insert(ids as string[]).map((id) => ({ id }))
  }
  return { query: query as Query, batches }
}

describe('createInserts', () => {
  it('stores the first at once, and together what arrives meanwhile, a hundred at most', async () => {
    const { query, batches } = databaseOf((ids) => ids)
    const insert = createInserts(query)
    const stored = await Promise.all(Array.from({ length: 150 }, (_, at) => insert(rowOf(String(at)))))
    expect(stored).toEqual(Array.from({ length: 150 }, () => true))
    expect(batches.map(({ length }) => length)).toEqual([1, 100, 49])
    await insert(rowOf('later'))
    expect(batches).toHaveLength(4)
  })

  it('tells each whether it is new', async () => {
    const { query } = databaseOf((ids) => ids.filter((id) => id !== 'again'))
    const insert = createInserts(query)
    expect(await Promise.all(['a', 'again', 'b'].map((id) => insert(rowOf(id))))).toEqual([true, false, true])
  })

  it.each(['23503', '22P05'])('lets the fault of one (%s) be that of no other', async (code) => {
    const { query } = databaseOf((ids) => {
      if (ids.includes('bad')) throw refusal(code)
      return ids
    })
    const insert = createInserts(query)
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((id) => insert(rowOf(id))))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  it('tries none again one by one when the database is away, and goes on when it is back', async () => {
    let isAway = true
    const { query, batches } = databaseOf((ids) => {
      if (isAway) throw refusal('ECONNREFUSED')
      return ids
    })
    const insert = createInserts(query)
    const settled = await Promise.allSettled(['a', 'b', 'c'].map((id) => insert(rowOf(id))))
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
    expect(batches).toEqual([['a'], ['b', 'c']])
    isAway = false
    expect(await insert(rowOf('d'))).toBe(true)
  })
})

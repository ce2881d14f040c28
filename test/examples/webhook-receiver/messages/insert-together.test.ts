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
  it('stores the first message immediately, and later ones in batches of at most a hundred', async () => {
    const { query, batches } = databaseOf((ids) => ids)
    const insert = createInserts(query)
    const stored = await Promise.all(Array.from({ length: 150 }, (_, at) => insert(rowOf(String(at)))))
    expect(stored).toEqual(Array.from({ length: 150 }, () => true))
    expect(batches.map(({ length }) => length)).toEqual([1, 100, 49])
    await insert(rowOf('later'))
    expect(batches).toHaveLength(4)
  })

  it('resolves with whether a message is new', async () => {
    const { query } = databaseOf((ids) => ids.filter((id) => id !== 'again'))
    const insert = createInserts(query)
    expect(await Promise.all(['a', 'again', 'b'].map((id) => insert(rowOf(id))))).toEqual([true, false, true])
  })

  it.each(['23503', '22P05'])('isolates an invalid message (%s) from others', async (code) => {
    const { query } = databaseOf((ids) => {
      if (ids.includes('bad')) throw refusal(code)
      return ids
    })
    const insert = createInserts(query)
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((id) => insert(rowOf(id))))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  it('does not retry one by one while the database is unavailable, and continues afterwards', async () => {
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

  /** A database that does nothing until it is told to. */
  function heldDatabase() {
    const statements: { readonly ids: readonly string[]; readonly settle: (error?: Error) => void }[] = []
    const query = (_sql: string, [ids = []]: readonly (readonly string[])[] = []) =>
      new Promise((resolve, reject) => {
        const settle = (error?: Error) => (error === undefined ? resolve(ids.map((id) => ({ id }))) : reject(error))
        statements.push({ ids, settle })
      })
    return { query: query as Query, statements }
  }
  const settledOf = (promises: readonly Promise<boolean>[]) =>
    Promise.all(promises.map((each) => each.then(String, (error) => error.status ?? error.message)))

  it('rejects messages at once with a 503 when a thousand are queued', async () => {
    const { query, statements } = heldDatabase()
    const insert = createInserts(query)
    const accepted = settledOf(Array.from({ length: 1_001 }, (_, at) => insert(rowOf(String(at)))))
    const rejected = await Promise.allSettled([insert(rowOf('a')), insert(rowOf('b'))])
    expect(rejected).toMatchObject(rejected.map(() => ({ status: 'rejected', reason: { status: 503 } })))
    while (statements.length < 11) {
      statements.at(-1)?.settle()
      await new Promise(setImmediate)
    }
    statements.at(-1)?.settle()
    expect(await accepted).toEqual(Array.from({ length: 1_001 }, () => 'true'))
    const later = insert(rowOf('c'))
    statements.at(-1)?.settle()
    expect(await later).toBe(true)
  })

  it('rejects messages at once with a 503 when 16 MiB of text are queued, and accepts a longer one alone', async () => {
    const { query, statements } = heldDatabase()
    const insert = createInserts(query)
    const large = { ...rowOf('large'), text: 'a'.repeat(20_000_000) }
    const accepted = [insert(rowOf('first')), insert(large)]
    await expect(insert(rowOf('more'))).rejects.toMatchObject({ status: 503 })
    statements.at(-1)?.settle()
    await new Promise(setImmediate)
    statements.at(-1)?.settle()
    expect(await settledOf(accepted)).toEqual(['true', 'true'])
  })

  it('rejects messages queued before a failed statement, and stores later ones', async () => {
    const { query, statements } = heldDatabase()
    const insert = createInserts(query)
    const first = settledOf([insert(rowOf('first'))])
    const queued = settledOf(Array.from({ length: 250 }, (_, at) => insert(rowOf(String(at)))))
    statements[0]?.settle(new Error('timeout'))
    expect(await first).toEqual(['timeout'])
    expect(statements[1]?.ids).toHaveLength(100)
    const later = [insert(rowOf('later'))]
    statements[1]?.settle(new Error('timeout again'))
    expect(await queued).toEqual(Array.from({ length: 250 }, () => 'timeout again'))
    expect(statements[2]?.ids).toEqual(['later'])
    statements[2]?.settle()
    expect(await settledOf(later)).toEqual(['true'])
  })

  it('stops inserting one by one when the database fails meanwhile', async () => {
    const { query, statements } = heldDatabase()
    const insert = createInserts(query)
    const all = settledOf(['a', 'b', 'c', 'd'].map((id) => insert(rowOf(id))))
    for (const error of [undefined, refusal('23503'), undefined, new Error('timeout')]) {
      statements.at(-1)?.settle(error)
      await new Promise(setImmediate)
    }
    expect(await all).toEqual(['true', 'true', 'timeout', 'timeout'])
    expect(statements.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c', 'd'], ['b'], ['c']])
  })

  it('drops messages whose sender no longer waits', async () => {
    const { query, statements } = heldDatabase()
    const insert = createInserts(query)
    const all = settledOf([insert(rowOf('a')), insert(rowOf('b'), () => true), insert(rowOf('c'), () => false)])
    statements[0]?.settle()
    await new Promise(setImmediate)
    statements[1]?.settle()
    expect(await all).toEqual(['true', 400, 'true'])
    expect(statements.map(({ ids }) => ids)).toEqual([['a'], ['c']])
  })
})

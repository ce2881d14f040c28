import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPage, neighboursOf, pageLinks, parsePage } from '../../src/rest/archetypes/page.ts'

const linksOf = (header: string) =>
  Object.fromEntries([...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, relation]) => [relation, target]))
const queryOf = (target: string) => new URLSearchParams(target.split('?')[1])

describe('parsePage', () => {
  it.each([
    ['', { size: 20, startIndex: 0 }],
    ['pageSize=1&pageStartIndex=7', { size: 1, startIndex: 7 }],
    ['pageSize=100', { size: 100, startIndex: 0 }],
    ['pageStartIndex=1000000', { size: 20, startIndex: 1_000_000 }],
  ])('parses %j', (query, page) => {
    expect(parsePage(new URLSearchParams(query))).toEqual(page)
  })

  it.each(['', '0', '-1', '+1', '1.5', '1e1', '0x1', '101', ' 1', '١', '9999999999999999', 'NaN', '1&pageSize=2'])(
    'refuses a size of %j and names the permitted values',
    (text) => {
      expect(() => parsePage(new URLSearchParams(`pageSize=${text}`))).toThrow(
        expect.objectContaining({
          status: 400,
          members: { errors: [{ path: 'pageSize', message: 'must be one integer from 1 to 100' }] },
        }),
      )
    },
  )

  it('lists every invalid parameter', () => {
    expect(() => parsePage(new URLSearchParams('pageSize=a&pageStartIndex=b'))).toThrow(
      expect.objectContaining({
        members: {
          errors: [expect.objectContaining({ path: 'pageSize' }), expect.objectContaining({ path: 'pageStartIndex' })],
        },
      }),
    )
  })
})

describe('the links of a page', () => {
  const collections = fc.record({
    total: fc.integer({ min: 0, max: 60 }),
    size: fc.integer({ min: 1, max: 9 }),
    startIndex: fc.integer({ min: 0, max: 70 }),
    isCounted: fc.boolean(),
  })
  const at = (total: number, size: number, startIndex: number, isCounted: boolean) => {
    const items = Array.from({ length: total }, (_, index) => index)
    const found = items.slice(startIndex, startIndex + size + (isCounted ? 0 : 1))
    return cutPage(
      { items: found, total: isCounted ? total : undefined, more: isCounted ? undefined : found.length > size },
      { size, startIndex },
    )
  }

  it('lead by next to every following item once, and end', () => {
    fc.assert(
      fc.property(collections, ({ total, size, startIndex, isCounted }) => {
        const seen: number[] = []
        let start: number | undefined = startIndex
        while (start !== undefined) {
          const cut = at(total, size, start, isCounted)
          seen.push(...cut.items)
          start = neighboursOf({ size, startIndex: start }, cut).next
        }
        expect(seen).toEqual(Array.from({ length: Math.max(0, total - startIndex) }, (_, index) => startIndex + index))
      }),
    )
  })

  it('lead by next to the last page, and no further', () => {
    fc.assert(
      fc.property(collections, ({ total, size, startIndex }) => {
        const { last } = neighboursOf({ size, startIndex }, at(total, size, startIndex, true))
        let start = startIndex
        for (;;) {
          const { next } = neighboursOf({ size, startIndex: start }, at(total, size, start, true))
          if (next === undefined) break
          start = next
        }
        if (startIndex < total) expect(last).toBe(start)
        expect(neighboursOf({ size, startIndex: last ?? -1 }, at(total, size, last ?? -1, true)).next).toBeUndefined()
      }),
    )
  })

  it('lead by prev back to the first page', () => {
    fc.assert(
      fc.property(collections, ({ total, size, startIndex, isCounted }) => {
        let start: number | undefined = startIndex
        let turns = 0
        while (start !== undefined && start > 0) {
          const { prev } = neighboursOf({ size, startIndex: start }, at(total, size, start, isCounted))
          expect(prev).toBeLessThan(start)
          start = prev
          expect(++turns).toBeLessThan(100)
        }
        expect(start).toBe(0)
      }),
    )
  })

  it('preserve the rest of the query as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), fc.string())),
        collections,
        (query, { total, size, startIndex }) => {
          const header = pageLinks(
            '/api/orders',
            new URLSearchParams(query),
            { size, startIndex },
            at(total, size, startIndex, true),
          )
          expect(header).toMatch(/^[\x20-\x7e]*$/)
          for (const target of Object.values(linksOf(header))) {
            const rest = queryOf(String(target))
            expect(rest.get('pageSize')).toBe(String(size))
            rest.delete('pageSize')
            rest.delete('pageStartIndex')
            expect([...rest]).toEqual([...new URLSearchParams(query)])
          }
        },
      ),
    )
  })

  it('indicate a next page by one extra item, which is not sent', () => {
    expect(cutPage({ items: [1, 2, 3] }, { size: 2, startIndex: 0 })).toEqual({
      items: [1, 2],
      total: undefined,
      hasMore: true,
    })
    expect(cutPage({ items: [1, 2], more: false }, { size: 2, startIndex: 0 }).hasMore).toBe(false)
    expect(cutPage({ items: [1] }, { size: 2, startIndex: 0 }).hasMore).toBe(false)
  })
})

import fc from 'fast-check'
import { isHttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'
import {
  type FieldSelection,
  parseFieldSelection,
  selectFields,
} from '../../../src/http/conventions/field-selection.ts'

const select = (value: unknown, ...fields: readonly string[]) => {
  const selection = parseFieldSelection(new URLSearchParams(fields.map((text): [string, string] => ['fields', text])))
  return selection === undefined ? value : selectFields(value, selection)
}

const report = {
  status: 'UP',
  components: {
    db: { status: 'UP', details: { database: 'PostgreSQL', latency: '3 ms' } },
    cache: { status: 'DOWN' },
  },
  groups: ['liveness', 'readiness'],
}

const grammar = 'The query parameter fields must be a list of names such as status,components(db(status)): '

describe('a selection of fields', () => {
  it('includes everything by default', () => {
    expect(select(report)).toBe(report)
    expect(parseFieldSelection(new URLSearchParams('other=1'))).toBeUndefined()
  })

  it.each([
    ['status', { status: 'UP' }],
    ['groups,status', { status: 'UP', groups: ['liveness', 'readiness'] }],
    ['components(db(status))', { components: { db: { status: 'UP' } } }],
    [
      'status,components(db(details(latency)),cache)',
      {
        status: 'UP',
        components: { db: { details: { latency: '3 ms' } }, cache: { status: 'DOWN' } },
      },
    ],
    [' status , components ( cache ( status ) ) ', { status: 'UP', components: { cache: { status: 'DOWN' } } }],
    ['nothing', {}],
    ['components(nothing)', { components: {} }],
    ['status(nothing)', { status: 'UP' }],
    ['Status', {}],
    ['components(db(status)),components(cache)', { components: { db: { status: 'UP' }, cache: { status: 'DOWN' } } }],
    ['components(cache(nothing)),components(cache)', { components: { cache: { status: 'DOWN' } } }],
    ['components(cache),components(cache(nothing))', { components: { cache: { status: 'DOWN' } } }],
    ['status,status', { status: 'UP' }],
  ])('of %s is only that part', (fields, part) => {
    expect(select(report, fields)).toEqual(part)
  })

  it('merges several parameters', () => {
    expect(select(report, 'status', 'components(db(status))', 'components(cache)')).toEqual({
      status: 'UP',
      components: { db: { status: 'UP' }, cache: { status: 'DOWN' } },
    })
  })

  it('applies to each item of an array', () => {
    expect(select({ items: [{ id: 1, name: 'a' }, 2, [{ id: 3, name: 'c' }], null] }, 'items(id)')).toEqual({
      items: [{ id: 1 }, 2, [{ id: 3 }], null],
    })
    expect(select([{ id: 1, name: 'a' }], 'name')).toEqual([{ name: 'a' }])
  })

  it('of a name in Object.prototype only finds own members', () => {
    expect(select({}, 'constructor,toString,__proto__,hasOwnProperty')).toEqual({})
    const value = JSON.parse('{"__proto__":{"a":1,"b":2},"constructor":3}')
    expect(JSON.stringify(select(value, '__proto__(b),constructor'))).toBe('{"__proto__":{"b":2},"constructor":3}')
  })

  it.each([
    ['', 'a name is missing'],
    [',', 'a name is missing'],
    ['a,', 'a name is missing'],
    ['a,,b', 'a name is missing'],
    ['a()', 'a name is missing'],
    ['(a)', 'a name is missing'],
    ['a( )', 'a name is missing'],
    ['a((b))', 'a name is missing'],
    ['a(b', 'a closing parenthesis is missing'],
    ['a(b(c)', 'a closing parenthesis is missing'],
    ['a)', 'unexpected ")"'],
    ['a(b)c', 'unexpected "c"'],
    ['a(b)(c)', 'unexpected "("'],
    [`${'a('.repeat(33)}a${')'.repeat(33)}`, 'it nests deeper than 32'],
    ['a('.repeat(1_000_000), 'it nests deeper than 32'],
  ])('of %.20s is refused', (fields, reason) => {
    const refusal = (() => {
      try {
        return parseFieldSelection(new URLSearchParams({ fields }))
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toMatchObject({ status: 400, message: `${grammar}${reason}.` })
  })

  it('may nest up to 32 levels', () => {
    const value = { a: {} }
    expect(select(value, `${'a('.repeat(32)}a${')'.repeat(32)}`)).toEqual(value)
  })

  it('is found in a long list', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `a(b${at})`)
    const inner = parseFieldSelection(new URLSearchParams({ fields: names.join(',') }))?.get('a')
    expect(inner).toHaveProperty('size', 100_000)
  })

  const names = fc.stringMatching(/^[a-zA-Z0-9_.$\u00e9-]{1,5}$/)
  const { selection: selections } = fc.letrec<{ selection: FieldSelection }>((tie) => ({
    selection: fc
      .uniqueArray(fc.tuple(names, fc.option(tie('selection'), { nil: 'whole' as const, depthSize: 'small' })), {
        minLength: 1,
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((entries) => new Map(entries)),
  }))

  it('is parsed as it was formatted', () => {
    const write = (selection: FieldSelection): string =>
      [...selection].map(([name, wanted]) => (wanted === 'whole' ? name : `${name}(${write(wanted)})`)).join(',')
    fc.assert(
      fc.property(selections, (selection) => {
        expect(parseFieldSelection(new URLSearchParams({ fields: write(selection) }))).toEqual(selection)
      }),
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(selections, fc.jsonValue(), (selection, value) => {
        const selected = selectFields(value, selection)
        expect(selectFields(selected, selection)).toEqual(selected)
      }),
    )
  })

  it('is parsed or refused for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '(', ')', ',', ' ', '%', '\u{1f600}') }), (fields) => {
        try {
          expect(parseFieldSelection(new URLSearchParams({ fields }))?.size).toBeGreaterThan(0)
        } catch (error) {
          expect(isHttpError(error) && error.status === 400).toBe(true)
        }
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip, columnsOf, fitColumns, shownName } from '../../../src/cli/top/shown-name.ts'

describe('the name of a service on a terminal', () => {
  it.each([
    ['GET /orders/{id}', 'GET /orders/{id}'],
    ['\u001b[2J', '\\u001b[2J'],
    ['a\r\nb\tc\u0007', 'a\\u000d\\u000ab\\u0009c\\u0007'],
    ['\u009b31m', '\\u009b31m'],
    ['user\u202egnp', 'user\\u202egnp'],
    ['a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['\ud800x', '\\ud800x'],
    ['x\udc00', 'x\\udc00'],
    ['a\u200bb\u2028', 'a\\u200bb\\u2028'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u3164', '\\u3164'],
    ['日本語', '日本語'],
    ['e\u0301', 'é'],
    ['\u0301a', '\\u0301a'],
    ['q\u0307\u0323\u0307\u0323', 'q\u0323\u0307\\u0323\\u0307'],
    ['🇫🇷', '\\u{1f1eb}\\u{1f1f7}'],
  ])('is shown escaped: %j as %j', (name, shown) => {
    if (name.startsWith('q')) expect(shownName(name)).toMatch(/^q\p{Mn}{2}(?:\\u03(?:07|23)){2}$/u)
    else expect(shownName(name)).toBe(shown)
  })

  it('contains nothing that a terminal obeys or does not show', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => !/[\p{C}\p{Zl}\p{Zp}\p{DI}]/u.test(shownName(name))))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        expect(shownName(String.fromCharCode(...units))).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/u)
      }),
    )
  })
})

describe('the columns of a text', () => {
  it.each([
    ['', 0],
    ['orders', 6],
    ['Zoë', 3],
    ['x\u0323\u0307', 1],
    ['日本', 4],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['⌚🚀', 4],
    ['→…', 2],
  ])('of %j are %d', (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })

  it.each([
    ['orders', 6, 'orders'],
    ['orders', 5, 'orde…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['orders', 1, '…'],
    ['orders', 0, ''],
  ])('of %j are at most %d when it is clipped', (text, columns, clipped) => {
    expect(clip(text, columns)).toBe(clipped)
  })

  it('are exactly those of a cell', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat(60),
        fc.constantFrom('left', 'right'),
        (name, columns, side) => {
          expect(columnsOf(fitColumns(shownName(name), columns, side))).toBe(columns)
        },
      ),
    )
  })
})

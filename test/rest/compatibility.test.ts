import { checkCompatibility, checkNames } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'

const order = z.object({
  id: z.string(),
  quantity: z.int().min(1).max(9),
  status: z.enum(['open', 'sent']),
  note: z.string().optional(),
})
const reasons = (older: z.ZodType, newer: z.ZodType) =>
  checkCompatibility(older, newer).map(({ side, path, reason }) => `${side} ${path} ${reason}`)

describe('checkCompatibility', () => {
  it.each<readonly [string, z.ZodType]>([
    ['is the same', order],
    ['adds a field that may be absent', order.extend({ color: z.string().optional() })],
    ['adds a field with a default', order.extend({ color: z.string().default('red') })],
    ['adds a field to what is inside', order.extend({ color: z.object({ name: z.string() }).optional() })],
  ])('finds nothing when the newer version %s', (_what, newer) => {
    expect(reasons(order, newer)).toEqual([])
  })

  it.each<readonly [string, z.ZodType, readonly string[]]>([
    ['drops a field', order.omit({ id: true }), ['response /id is missing, but required']],
    ['lets a field be absent', order.partial({ id: true }), ['response /id may be absent, but is required']],
    ['demands a field', order.required({ note: true }), ['request /note may be absent, but is required']],
    ['demands a new field', order.extend({ color: z.string() }), ['request /color is missing, but required']],
    [
      'changes a type',
      order.extend({ id: z.number() }),
      ['response /id is number, but must be string', 'request /id is string, but must be number'],
    ],
    [
      'adds a value to a list of values',
      order.extend({ status: z.enum(['open', 'sent', 'lost']) }),
      ['response /status may be "lost", but must be one of "open", "sent"'],
    ],
    [
      'drops a value',
      order.extend({ status: z.enum(['open']) }),
      ['request /status may be "sent", but must be one of "open"'],
    ],
    [
      'narrows a limit',
      order.extend({ quantity: z.int().min(2).max(9) }),
      ['request /quantity minimum is 1, but must be 2'],
    ],
    [
      'widens a limit',
      order.extend({ quantity: z.int().min(1).max(10) }),
      ['response /quantity maximum is 10, but must be 9'],
    ],
    ['may be null', order.extend({ id: z.string().nullable() }), ['response /id is null, but must be string']],
    ['refuses what was sent', z.strictObject(order.omit({ note: true }).shape), ['request /note is not accepted']],
  ])('finds the change when the newer version %s', (_what, newer, expected) => {
    expect(reasons(order, newer)).toEqual(expected)
  })

  it('compares lists, alternatives and recursive schemas', () => {
    const tree = (leaf: z.ZodType) => {
      const node: z.ZodType = z.object({ leaf, children: z.array(z.lazy(() => node)) })
      return node
    }
    expect(reasons(tree(z.string()), tree(z.string()))).toEqual([])
    expect(reasons(tree(z.string()), tree(z.number())).length).toBe(2)
    const union = z.union([z.string(), z.number()])
    expect(checkCompatibility(z.array(z.string()), z.array(union), { sides: ['request'] })).toEqual([])
    expect(checkCompatibility(z.array(z.string()), z.array(union), { sides: ['response'] })).toMatchObject([
      { path: '/*' },
    ])
  })

  it('compares schemas of zod/mini with toJsonSchema', () => {
    const [one, other] = [mini.object({ a: mini.string() }), mini.object({ a: mini.number() })]
    expect(checkCompatibility(one, other, { toJsonSchema: z.toJSONSchema }).length).toBe(2)
    expect(() => checkCompatibility(one, other)).toThrow('expected toJsonSchema, such as z.toJSONSchema')
  })
})

describe('checkNames', () => {
  it('finds names with special characters at any depth', () => {
    const schema = z.object({
      unitPrice: z.number(),
      unit_price: z.number(),
      Lines: z.array(z.object({ 'line-no': z.number() })),
      choice: z.union([z.object({ $a: z.string() }), z.null()]),
      '2nd': z.string(),
    })
    expect(checkNames(schema).map(({ path }) => path)).toEqual([
      '/unit_price',
      '/Lines',
      '/Lines/*/line-no',
      '/choice/$a',
      '/2nd',
    ])
  })

  it('terminates for recursive schemas', () => {
    const node: z.ZodType = z.object({ child_node: z.lazy(() => node).optional() })
    expect(checkNames(node)).toMatchObject([{ name: 'child_node' }])
  })
})

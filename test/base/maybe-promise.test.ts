import type { MaybePromise } from 'upkeep'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { thenNow as goOn } from '../../src/base/maybe-promise.ts'

const fail = (): never => {
  throw new Error('no')
}

describe('after', () => {
  it('calls synchronously with an available value', () => {
    expect(goOn(2, (value) => value + 1)).toBe(3)
    expect(goOn(undefined, (value) => [value])).toEqual([undefined])
  })

  it('calls with the result when the promise resolves', async () => {
    const then = vi.fn((value: number) => value + 1)
    const soon = goOn(Promise.resolve(2), then)
    expect(then).not.toHaveBeenCalled()
    expect(soon).toBeInstanceOf(Promise)
    expect(await soon).toBe(3)
  })

  it('resolves with the result of a returned promise', async () => {
    expect(await goOn(1, async (value) => value + 1)).toBe(2)
    expect(await goOn(Promise.resolve(1), async (value) => value + 1)).toBe(2)
  })

  it('throws synchronously for an available value, and rejects for a promise', async () => {
    expect(() => goOn(1, fail)).toThrow('no')
    await expect(goOn(Promise.resolve(1), fail)).rejects.toThrow('no')
    const then = vi.fn()
    await expect(goOn(Promise.reject(new Error('never')), then)).rejects.toThrow('never')
    expect(then).not.toHaveBeenCalled()
  })

  it('infers the type of the result', () => {
    expectTypeOf(goOn(1 as MaybePromise<number>, String)).toEqualTypeOf<MaybePromise<string>>()
    expectTypeOf(goOn(1 as MaybePromise<number>, async (value) => value)).toEqualTypeOf<MaybePromise<number>>()
  })
})

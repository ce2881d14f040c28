import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, describe, expect, it } from 'vitest'
import { runIsolated } from '../../src/tracing/context/context-tracing.ts'

const storage = new AsyncLocalStorage<unknown>()
const other = new AsyncLocalStorage<unknown>()

afterEach(() => {
  storage.disable()
  other.disable()
})

describe('runIsolated', () => {
  it('keeps the value, and those of other storages around it, across awaits', async () => {
    const seen = await other.run('other', () =>
      runIsolated(storage, 'value', async () => {
        await null
        await new Promise(setImmediate)
        return [storage.getStore(), other.getStore()]
      }),
    )
    expect(seen).toEqual(['value', 'other'])
  })

  it('restores the previous value when the function returns, throws, or continues asynchronously', async () => {
    await storage.run('before', async () => {
      const pending = runIsolated(storage, 'value', async () => {
        await null
        return storage.getStore()
      })
      expect(storage.getStore()).toBe('before')
      expect(() =>
        runIsolated(storage, 'value', () => {
          throw new RangeError('no')
        }),
      ).toThrow(RangeError)
      expect(storage.getStore()).toBe('before')
      expect(await pending).toBe('value')
      expect(storage.getStore()).toBe('before')
    })
    expect(storage.getStore()).toBeUndefined()
  })

  it('isolates concurrent runs', async () => {
    const values = Array.from({ length: 20 }, (_, value) => value)
    const seen = values.map((value) =>
      runIsolated(storage, value, async () => {
        for (let turn = 0; turn < value % 5; turn++) await new Promise(setImmediate)
        return storage.getStore()
      }),
    )
    expect(await Promise.all(seen)).toEqual(values)
  })
})

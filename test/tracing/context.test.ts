import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, describe, expect, it } from 'vitest'
import { ContextWithSpan, rootContext } from '../../src/tracing/context/context.ts'
import { runIsolated } from '../../src/tracing/context/context-tracing.ts'
import { spanKey } from '../../src/tracing/open-telemetry.ts'
import type { BridgedSpan } from '../../src/tracing/spans/bridged-span.ts'

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

  it.runIf(Number(process.versions.node.split('.')[0]) >= 24)(
    'leaves nothing that the function enters into other storages (from Node 24)',
    () => {
      runIsolated(storage, 'value', () => other.enterWith('entered'))
      expect([storage.getStore(), other.getStore()]).toEqual([undefined, undefined])
    },
  )

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

describe('a context', () => {
  const [one, two] = [Symbol('one'), Symbol('two')]
  const span = { openTelemetry: {} } as BridgedSpan
  const both = rootContext.setValue(one, 1).setValue(two, 2)
  const valuesOf = (context: typeof rootContext) => [one, two, spanKey].map((key) => context.getValue(key))

  it('is a copy without a value that is deleted', () => {
    expect(valuesOf(both.deleteValue(one))).toEqual([undefined, 2, undefined])
    expect(valuesOf(both)).toEqual([1, 2, undefined])
    expect(valuesOf(rootContext.deleteValue(one))).toEqual([undefined, undefined, undefined])
  })

  it('with a span keeps it where other values are set and deleted, and loses it where that is deleted', () => {
    const context = new ContextWithSpan(both, span)
    expect(valuesOf(context)).toEqual([1, 2, span.openTelemetry])
    expect(valuesOf(context.setValue(one, 3))).toEqual([3, 2, span.openTelemetry])
    expect(valuesOf(context.deleteValue(two))).toEqual([1, undefined, span.openTelemetry])
    expect(valuesOf(context.deleteValue(spanKey))).toEqual([1, 2, undefined])
  })
})

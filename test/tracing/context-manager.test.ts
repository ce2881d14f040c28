import { describe, expect, it } from 'vitest'
import { rootContext } from '../../src/tracing/context/context.ts'
import { createContextManager, isOwnManager } from '../../src/tracing/context/context-manager.ts'

const key = Symbol('key')
const manager = createContextManager()
const active = () => manager.active().getValue(key)
const context = rootContext.setValue(key, 'entered')

describe("upkeep's context manager", () => {
  it('is recognized, and others are not', () => {
    expect(isOwnManager(manager)).toBe(true)
    expect(isOwnManager({ ...manager })).toBe(true)
    expect(isOwnManager({ active: manager.active } as typeof manager)).toBe(false)
  })

  it('has the root context active outside of any other', () => {
    expect(manager.active()).toBe(rootContext)
  })

  it('calls a function in a context, with its receiver and its arguments', () => {
    const receiver = { name: 'receiver' }
    const describeCall = function (this: typeof receiver, ...args: number[]) {
      return [this.name, args, active()]
    }
    expect(manager.with(context, describeCall, receiver, 1, 2)).toEqual(['receiver', [1, 2], 'entered'])
    expect(active()).toBeUndefined()
  })

  it('binds a function to a context, which keeps its receiver, its arguments and its result', () => {
    const receiver = {
      name: 'receiver',
      call: manager.bind(context, function (this: { name: string }, first: number, second: number) {
        return [this.name, first, second, active()]
      }),
    }
    expect(receiver.call(1, 2)).toEqual(['receiver', 1, 2, 'entered'])
    expect(active()).toBeUndefined()
  })

  it('gives a bound function the number of parameters of its target, as a property like that of any function', () => {
    const target = (_error: unknown, _request: unknown, _response: unknown, _next: unknown) => {}
    const lengthOf = (fn: object) => Object.getOwnPropertyDescriptor(fn, 'length')
    expect(lengthOf(manager.bind(context, target))).toEqual(lengthOf(target))
  })

  it('returns what is no function as it is', () => {
    const emitter = {}
    expect(manager.bind(context, emitter)).toBe(emitter)
    expect(manager.bind(context, undefined)).toBeUndefined()
  })

  it('is the same when it is enabled or disabled', () => {
    expect([manager.enable(), manager.disable()]).toEqual([manager, manager])
  })
})

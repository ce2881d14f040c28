import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandName, InspectorTarget } from '../../../src/watch/inspector/inspector-target.ts'
import { readStack } from '../../../src/watch/threads/read-stack.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const location = { scriptId: '7', lineNumber: 2, columnNumber: 4 }
const burn = { functionName: 'burn', location }

/** A thread of which a test says when it responds to its commands, and when it pauses. */
function createTarget() {
  const listeners = new Map<string, (params: unknown) => void>()
  const pending: { readonly name: CommandName; readonly respond: () => void }[] = []
  const detach = vi.fn()
  const target = {
    ...{ id: '3', thread: 'worker 3', detach },
    on: (event: string, listener: (params: unknown) => void) => void listeners.set(event, listener),
    post: (name: CommandName) => new Promise((resolve) => pending.push({ name, respond: () => resolve({}) })),
  } as InspectorTarget
  return {
    ...{ target, detach },
    pending: () => pending.map(({ name }) => name),
    async respond() {
      for (const { respond } of pending.splice(0)) respond()
      await vi.advanceTimersByTimeAsync(0)
    },
    pause(callFrames: readonly object[], url = 'file:///app/main.js') {
      listeners.get('Debugger.scriptParsed')?.({ scriptId: '7', url })
      listeners.get('Debugger.paused')?.({ callFrames })
    },
  }
}

describe('readStack', () => {
  it('returns the calls of a thread that pauses, and detaches from it first', async () => {
    const { target, detach, pending, respond, pause } = createTarget()
    const stack = readStack(target)
    expect(pending()).toEqual(['Debugger.enable', 'Debugger.pause'])
    await respond()
    pause([burn])
    expect(detach).toHaveBeenCalled()
    expect(await stack).toEqual({
      activity: 'running',
      frames: [{ functionName: 'burn', url: 'file:///app/main.js', line: 3, column: 5 }],
    })
  })

  it('sends no command after the pause', async () => {
    const { target, pending, respond, pause } = createTarget()
    const stack = readStack(target)
    await respond()
    pause([burn])
    await stack
    await vi.advanceTimersByTimeAsync(10_000)
    expect(pending()).toEqual([])
  })

  it('returns idle for a thread that responds once more without having paused', async () => {
    const { target, pending, respond } = createTarget()
    const stack = readStack(target)
    await respond()
    await vi.advanceTimersByTimeAsync(100)
    expect(pending()).toEqual(['Debugger.enable'])
    await respond()
    expect(await stack).toEqual({ activity: 'idle', frames: [] })
  })

  it('waits for the stack of a thread that takes longer to send it', async () => {
    const { target, respond, pause } = createTarget()
    const stack = readStack(target)
    await respond()
    await vi.advanceTimersByTimeAsync(2_000)
    pause([burn])
    await respond()
    expect(await stack).toMatchObject({ activity: 'running', frames: [{ functionName: 'burn' }] })
  })

  it('returns native for a thread that does not respond', async () => {
    const { target } = createTarget()
    const stack = readStack(target)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await stack).toEqual({ activity: 'native', frames: [] })
  })

  it('returns idle for a thread that a timer has just woken', async () => {
    const { target, respond, pause } = createTarget()
    const stack = readStack(target)
    await respond()
    const calls = ['listOnTimeout', 'processTimers'].map((functionName) => ({ functionName, location }))
    pause(calls, 'node:internal/timers')
    expect((await stack).activity).toBe('idle')
  })
})

import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandName, InspectorTarget } from '../../../src/watch/inspector/inspector-target.ts'
import { readBlockedStack, readStack } from '../../../src/watch/threads/read-stack.ts'

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

describe('readBlockedStack', () => {
  /** Reads stacks that are found in turn; the block ends during the reading of that number. */
  async function readStacks(found: readonly (readonly string[])[], endsDuring = Number.POSITIVE_INFINITY) {
    const limits: (number | undefined)[] = []
    const read = (limit?: number) => {
      limits.push(limit)
      return Promise.resolve(found[limits.length - 1] ?? [])
    }
    const stack = await readBlockedStack(() => limits.length < endsDuring, read)
    return { stack, limits }
  }

  it('returns the first stack', async () => {
    expect(await readStacks([['at burn']])).toEqual({ stack: ['at burn'], limits: [undefined] })
  })

  it('returns the first stack also if the block has ended meanwhile', async () => {
    expect(await readStacks([['at burn']], 1)).toEqual({ stack: ['at burn'], limits: [undefined] })
  })

  it('reads again with twice the time while there is none', async () => {
    expect(await readStacks([[], [], ['at burn']])).toEqual({ stack: ['at burn'], limits: [undefined, 2_000, 4_000] })
  })

  it('ends after 16 s for one response', async () => {
    expect(await readStacks([])).toEqual({ stack: [], limits: [undefined, 2_000, 4_000, 8_000, 16_000] })
  })

  it('does not read again after the block', async () => {
    expect(await readStacks([[], ['at burn']], 1)).toEqual({ stack: [], limits: [undefined] })
  })

  it('does not return the stack of what follows the block', async () => {
    expect(await readStacks([[], ['at somethingElse']], 2)).toEqual({ stack: [], limits: [undefined, 2_000] })
  })
})

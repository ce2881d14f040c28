import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openMainSession } from '../../../src/watch/inspector/main-session.ts'
import { readMainThreadStack } from '../../../src/watch/threads/read-stack.ts'

vi.mock('node:worker_threads', async (original) => ({ ...(await original<object>()), workerData: {} }))

/** Node's session with the main thread, which responds to each command at once. */
class MainThread extends EventEmitter {
  static opened: MainThread[] = []
  readonly commands: string[] = []
  isConnected = false
  connectToMainThread() {
    MainThread.opened.push(this)
    this.isConnected = true
  }
  disconnect() {
    this.isConnected = false
  }
  post(name: string, _params?: unknown, callback?: (error: null, result: object) => void) {
    if (!this.isConnected) throw new Error('Session is not connected')
    this.commands.push(name)
    callback?.(null, {})
  }
  pause(functionName: string) {
    const location = { scriptId: '7', lineNumber: 2, columnNumber: 4 }
    this.emit('Debugger.scriptParsed', { params: { scriptId: '7', url: 'file:///app/main.js' } })
    this.emit('Debugger.paused', { params: { callFrames: [{ functionName, location }] } })
  }
}

beforeEach(() => {
  MainThread.opened = []
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ Session: MainThread })
  return () => vi.restoreAllMocks()
})

const session = (): MainThread => {
  const [first] = MainThread.opened
  if (first === undefined) throw new Error('expected a session')
  return first
}

describe('a session with the main thread', () => {
  it('resumes a paused thread before it ends', () => {
    const { detach } = openMainSession()
    session().pause('burn')
    detach()
    expect(session()).toMatchObject({ commands: ['Debugger.resume'], isConnected: false })
  })

  it('is silent about a pause that was sent before it ended', () => {
    const listener = vi.fn()
    const { on, detach } = openMainSession()
    on('Debugger.paused', listener)
    detach()
    session().pause('burn')
    detach()
    expect(listener).not.toHaveBeenCalled()
    expect(session().commands).toEqual([])
  })
})

describe('readMainThreadStack', () => {
  it('returns the stack of the first pause, when other sessions pause the thread as well', async () => {
    const stack = readMainThreadStack()
    session().pause('burn')
    session().pause('other')
    expect(await stack).toEqual(['at burn (file:///app/main.js:3:5)'])
  })

  it('reads once for all who ask while it reads', async () => {
    const stacks = Promise.all([readMainThreadStack(), readMainThreadStack()])
    session().pause('burn')
    expect(await stacks).toEqual([['at burn (file:///app/main.js:3:5)'], ['at burn (file:///app/main.js:3:5)']])
    expect(MainThread.opened).toHaveLength(1)
    const next = readMainThreadStack()
    MainThread.opened.at(-1)?.pause('later')
    expect(await next).toEqual(['at later (file:///app/main.js:3:5)'])
  })
})

import type { Debugger } from 'node:inspector'
import { withDeadline } from '../../base/deadline.ts'
import { wait } from '../../base/timers.ts'
import { maxFrames, type StackFrame, type ThreadStack } from '../diagnostics/diagnostic-operation.ts'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import { openMainSession } from '../inspector/main-session.ts'
import { sanitizeUrl } from '../profile/sanitize-profile.ts'
import { formatFrame } from './thread-dump-route.ts'

/** A thread that executes JavaScript or waits for events responds sooner, also on a machine that is overloaded. */
const defaultResponseMilliseconds = 3_000

/** A thread that waits for events does not pause before it executes JavaScript again. */
const idleMilliseconds = 100

const loopFunctions = new Set(['processTimers', 'listOnTimeout', 'processImmediate', 'processTicksAndRejections'])

/**
 * Reads the stack of a thread, by pausing it for a moment, and detaches from it. A thread that does not pause is idle
 * if it responds to commands, and inside native code if it does not. Rejects if the thread ends.
 */
export async function readStack(
  target: InspectorTarget,
  responseMilliseconds: number = defaultResponseMilliseconds,
): Promise<Pick<ThreadStack, 'activity' | 'frames'>> {
  const urls = new Map<string, string>()
  target.on('Debugger.scriptParsed', (params) => {
    // Safe: the event has these parameters.
    const { scriptId, url } = params as Debugger.ScriptParsedEventDataType
    urls.set(scriptId, url)
  })
  let isPaused = false
  const paused = new Promise<readonly Debugger.CallFrame[]>((resolve) => {
    target.on('Debugger.paused', (params) => {
      // First of all: an error before it, or an endless loop, would leave the thread paused for good.
      target.detach()
      isPaused = true
      // Safe: the event has these parameters.
      resolve((params as Debugger.PausedEventDataType).callFrames.slice(0, maxFrames))
    })
  })
  const isIdle = async (): Promise<undefined> => {
    const commands = Promise.all([target.post('Debugger.enable'), target.post('Debugger.pause')])
    await withDeadline(commands, responseMilliseconds, 'Debugger.pause')
    await wait(idleMilliseconds)
    // A thread that pauses sends its stack, which may take longer, before it responds once more.
    if (!isPaused) await withDeadline(target.post('Debugger.enable'), responseMilliseconds, 'Debugger.enable')
  }
  try {
    const frames = await Promise.race([paused, isIdle()])
    const calls = frames?.map((frame) => readFrame(frame, urls)) ?? []
    return { activity: calls.every(isEventLoop) ? 'idle' : 'running', frames: calls }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return { activity: 'native', frames: [] }
    throw error
  } finally {
    target.detach()
  }
}

/** Whether a call is one of the event loop, which a timer or a callback of the system has just woken. */
function isEventLoop({ functionName, url }: StackFrame): boolean {
  return url.startsWith('node:internal/') && loopFunctions.has(functionName)
}

function readFrame({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): StackFrame {
  const { scriptId, lineNumber, columnNumber = 0 } = location
  const url = sanitizeUrl(urls.get(scriptId) ?? '')
  return { functionName, url, line: lineNumber + 1, column: columnNumber + 1 }
}

/** Enough to find what blocks the event loop. */
const maxShownFrames = 20

/** Inside a system call the main thread cannot be paused: then the stack stays empty. */
const shortestResponseMilliseconds = 1_000
const longestResponseMilliseconds = 16_000

/** The reading that goes on. */
let reading: Promise<readonly string[]> | undefined

/**
 * Reads the stack of the main thread from another thread, by pausing it for a moment, once for all who ask meanwhile.
 * Resolves with lines such as `at blockTheLoop (file:///app/main.js:3:9)`, or with none if the main thread cannot be
 * inspected, does not execute JavaScript, or does not respond in time: within a second, by default. Never rejects.
 */
export function readMainThreadStack(
  responseMilliseconds: number = shortestResponseMilliseconds,
): Promise<readonly string[]> {
  reading ??= readOnce(responseMilliseconds).finally(() => {
    reading = undefined
  })
  return reading
}

/**
 * Reads the stack of the main thread as `readMainThreadStack` does. While the thread is blocked and sends no stack,
 * reads again with twice the time to respond: on a machine that is overloaded, a thread that executes JavaScript may
 * need seconds.
 */
export async function readBlockedStack(
  isBlocked: () => boolean,
  read: typeof readMainThreadStack = readMainThreadStack,
): Promise<readonly string[]> {
  const first = await read()
  if (first.length > 0) return first
  for (let limit = 2 * shortestResponseMilliseconds; limit <= longestResponseMilliseconds && isBlocked(); limit *= 2) {
    const stack = await read(limit)
    // After the end of the block it is that of something else.
    if (stack.length > 0 && isBlocked()) return stack
  }
  return []
}

async function readOnce(responseMilliseconds: number): Promise<readonly string[]> {
  try {
    const { frames } = await readStack(openMainSession(), responseMilliseconds)
    return frames.slice(0, maxShownFrames).map((frame) => `at ${formatFrame(frame)}`)
  } catch {
    return []
  }
}

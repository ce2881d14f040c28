import type { Debugger } from 'node:inspector'
import { withDeadline } from '../../base/deadline.ts'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import { sanitizeUrl } from '../profile/sanitize-profile.ts'
import { maxFrames, type StackFrame, type ThreadStack } from './thread-dump-operation.ts'

/** A thread that executes JavaScript or waits for events responds sooner, also on a machine that is overloaded. */
const responseMilliseconds = 3_000

/** A thread that waits for events does not pause before it executes JavaScript again. */
const idleMilliseconds = 100

/**
 * Reads the stack of a thread, by pausing it for a moment. A thread that does not pause is idle if it responds to
 * commands, and inside native code if it does not. Rejects if the thread ends.
 */
export async function readStack(target: InspectorTarget): Promise<Pick<ThreadStack, 'activity' | 'frames'>> {
  const urls = new Map<string, string>()
  target.on('Debugger.scriptParsed', (params) => {
    // Safe: the event has these parameters.
    const { scriptId, url } = params as Debugger.ScriptParsedEventDataType
    urls.set(scriptId, url)
  })
  let callFrames: readonly Debugger.CallFrame[] | undefined
  const paused = new Promise<void>((resolve) => {
    target.on('Debugger.paused', (params) => {
      // First of all: an error before it, or an endless loop, would leave the thread paused for good.
      target.post('Debugger.resume').catch(() => {})
      // Safe: the event has these parameters.
      callFrames = (params as Debugger.PausedEventDataType).callFrames.slice(0, maxFrames)
      resolve()
    })
  })

  const responds = await pause(target, paused)
  if (callFrames === undefined) return { activity: responds ? 'idle' : 'native', frames: [] }
  return { activity: 'running', frames: callFrames.map((frame) => readFrame(frame, urls)) }
}

/** Pauses a thread unless it is idle. Resolves with whether it responds to commands. */
async function pause(target: InspectorTarget, paused: Promise<void>): Promise<boolean> {
  try {
    await respond(target, 'Debugger.enable')
    await respond(target, 'Debugger.pause')
    await Promise.race([paused, wait(idleMilliseconds)])
    // Events arrive in order: when this has its response, the thread has paused, or will not do so any more.
    await respond(target, 'Debugger.disable')
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return false
    throw error
  }
}

function respond(
  target: InspectorTarget,
  name: 'Debugger.enable' | 'Debugger.pause' | 'Debugger.disable',
): Promise<unknown> {
  return withDeadline(target.post(name), responseMilliseconds, name)
}

function readFrame({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): StackFrame {
  const { scriptId, lineNumber, columnNumber = 0 } = location
  const url = sanitizeUrl(urls.get(scriptId) ?? '')
  return { functionName, url, line: lineNumber + 1, column: columnNumber + 1 }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

import type { Debugger, Session } from 'node:inspector'
import { connectToMainThread } from './inspector/main-session.ts'
import { sanitizeUrl } from './profile/sanitize-profile.ts'

const maxFrames = 20

/** Inside a system call the main thread cannot be paused: then the stack stays empty. */
const timeoutMilliseconds = 1_000

/**
 * Reads the stack of the main thread from a worker thread, by pausing it for a moment. Calls `done` with lines such as
 * `at blockTheLoop (file:///app/main.js:3:9)`, or with none if the main thread does not pause within a second.
 */
export function readMainThreadStack(done: (frames: readonly string[]) => void): void {
  const session = connect()
  if (session === undefined) {
    done([])
    return
  }
  const urls = new Map<string, string>()
  const timer = setTimeout(end, timeoutMilliseconds, [])
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    // First of all: an error before it would leave the main thread paused for good.
    session.post('Debugger.resume')
    end(params.callFrames.slice(0, maxFrames).map((frame) => formatFrame(frame, urls)))
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')

  function end(frames: readonly string[]): void {
    clearTimeout(timer)
    session?.disconnect()
    done(frames)
  }
}

/** Returns `undefined` where the main thread cannot be inspected. */
function connect(): Session | undefined {
  try {
    return connectToMainThread()
  } catch {
    return undefined
  }
}

function formatFrame({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const url = sanitizeUrl(urls.get(location.scriptId) ?? '')
  const position = `${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`
  return `at ${functionName === '' ? position : `${functionName} (${position})`}`
}

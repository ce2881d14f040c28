import { openMainSession } from './inspector/main-session.ts'
import { readStack } from './threads/read-stack.ts'
import { formatFrame } from './threads/thread-dump-text.ts'

const maxFrames = 20

/** Inside a system call the main thread cannot be paused: then the stack stays empty. */
const responseMilliseconds = 1_000

/**
 * Reads the stack of the main thread from another thread, by pausing it for a moment. Resolves with lines such as
 * `at blockTheLoop (file:///app/main.js:3:9)`, or with none if the main thread cannot be inspected, does not execute
 * JavaScript, or does not respond within a second. Never rejects.
 */
export async function readMainThreadStack(): Promise<readonly string[]> {
  try {
    const { frames } = await readStack(openMainSession(), responseMilliseconds)
    return frames.slice(0, maxFrames).map((frame) => `at ${formatFrame(frame)}`)
  } catch {
    return []
  }
}

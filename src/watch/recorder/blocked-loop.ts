import { createStallDetector } from '../stall-detector.ts'
import { readBlockedStack } from '../threads/read-stack.ts'
import type { Finding } from './capture.ts'
import type { FlightRecorder } from './flight-recorder.ts'

/** The rule that profiles a blocked event loop while it is blocked. */
interface BlockedLoopRule {
  /** Checks the heartbeat, as `StallDetector.check` does. */
  check(beats: number, now: number, expectedMilliseconds: number): void
  /** The capture of the block that goes on, once it is complete. */
  readonly captureId: string | undefined
}

interface Block {
  captureId: string | undefined
  /** How long it lasted; `undefined` while it goes on. */
  milliseconds: number | undefined
  /** Called with the time of its end. */
  readonly end: (time: number) => void
}

interface BlockedLoopOptions {
  readonly stallMilliseconds: number
  readonly beatMilliseconds: number
  /** Whether a debugger may be attached; then the stack is not read. */
  readonly isDebugged: () => boolean
  /** Returns the time of the last beat, in milliseconds since the epoch. */
  readonly lastBeat: () => number
}

/** Captures the event loop when it is blocked for longer than `stallMilliseconds`. */
export function createBlockedLoopRule(
  recorder: FlightRecorder,
  { isDebugged, lastBeat, ...options }: BlockedLoopOptions,
): BlockedLoopRule {
  const detector = createStallDetector(options, performance.now())
  /** The block that goes on. */
  let current: Block | undefined

  const begin = (): void => {
    let end: (time: number) => void = () => {}
    const ended = new Promise<number>((resolve) => {
      end = resolve
    })
    const block: Block = { captureId: undefined, milliseconds: undefined, end }
    current = block
    if (recorder.admit('blocked-loop')) void capture(block, ended)
  }

  const capture = async (block: Block, ended: Promise<number>): Promise<void> => {
    const time = Date.now() - Math.round(detector.blockedMilliseconds)
    // Pausing the main thread would continue a process that a developer has stopped in a debugger.
    const reading = isDebugged() ? Promise.resolve([]) : readBlockedStack(() => current === block)
    const describe = (stack: readonly string[]) =>
      describeBlock(block.milliseconds, detector.blockedMilliseconds, stack)
    const complete = async () => describe(await reading)
    const finding: Finding = { rule: 'blocked-loop', time, ...describe([]) }
    block.captureId = (await recorder.profile(finding, { type: 'wall', ended, complete }))?.id
  }

  return {
    get captureId() {
      return current?.captureId
    },
    check(beats, now, expectedMilliseconds) {
      const state = detector.check(beats, now, expectedMilliseconds)
      if (state === 'begun') begin()
      if (state !== 'ended' || current === undefined) return
      current.milliseconds = detector.blockedMilliseconds
      current.end(lastBeat())
      current = undefined
    },
  }
}

/** `total` is the duration of a block that has ended, `soFar` that of one that goes on, in milliseconds. */
function describeBlock(
  total: number | undefined,
  soFar: number,
  stack: readonly string[],
): Pick<Finding, 'reason' | 'details'> {
  const blockedMilliseconds = Math.round(total ?? soFar)
  const verb = total === undefined ? 'has been' : 'was'
  return {
    reason: `the event loop ${verb} blocked for ${blockedMilliseconds}ms`,
    details: { blockedMilliseconds, isOver: total !== undefined, stack },
  }
}

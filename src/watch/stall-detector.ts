interface StallDetectorOptions {
  /** For how long the event loop may be blocked. */
  readonly stallMilliseconds: number
  /** The interval of the heartbeat, and of the calls of `check`. */
  readonly beatMilliseconds: number
}

/**
 * The states of an event loop, as `check` finds them:
 *
 *     turning ──no beat for the duration──▶ begun ──no beat──▶ stalled
 *        ▲                                    │                   │
 *        └────────────── ended ◀──────────────┴───────beat────────┘
 */
type StallState = 'turning' | 'begun' | 'stalled' | 'ended'

/** Detects from the heartbeat of an event loop that it is blocked. */
interface StallDetector {
  /**
   * Compares the number of beats with that at the last call. `now` is a monotonic time in milliseconds; the event loop
   * may be blocked for `expectedMilliseconds` longer than otherwise, by default 0.
   */
  check(beats: number, now: number, expectedMilliseconds?: number): StallState
  /** How long the event loop has been blocked; after `'ended'` how long it was. */
  readonly blockedMilliseconds: number
}

export function createStallDetector(
  { stallMilliseconds, beatMilliseconds }: StallDetectorOptions,
  startedAt: number,
): StallDetector {
  let lastBeats = 0
  let lastCheck = startedAt
  let blockedMilliseconds = 0
  let state: StallState = 'turning'

  return {
    get blockedMilliseconds() {
      return blockedMilliseconds
    },
    check(beats, now, expectedMilliseconds = 0) {
      // Time in which this thread does not run either, as in a frozen process, is not counted.
      const passed = Math.min(now - lastCheck, 2 * beatMilliseconds)
      const wasStalled = state === 'begun' || state === 'stalled'
      lastCheck = now
      if (beats !== lastBeats) {
        lastBeats = beats
        if (!wasStalled) blockedMilliseconds = 0
        state = wasStalled ? 'ended' : 'turning'
        return state
      }
      blockedMilliseconds = passed + (state === 'ended' ? 0 : blockedMilliseconds)
      // The event loop may have turned up to one beat after its last heartbeat.
      const begins = blockedMilliseconds > stallMilliseconds + beatMilliseconds + expectedMilliseconds
      state = wasStalled ? 'stalled' : begins ? 'begun' : 'turning'
      return state
    },
  }
}

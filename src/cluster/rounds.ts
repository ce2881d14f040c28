/** How often a member writes what it has counted. What a killed process has counted since is lost. */
const busyMilliseconds = 200
/** How often it does so while it counts nothing. */
const calmMilliseconds = 1_000
/** Rounds without a count after which a member is calm. */
const roundsUntilCalm = 10

/** Returns a function whose callers share a run: it does not begin again before the last one has resolved. */
export function shareRun(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Returns whether something was counted, or came from another member. `isSecond` is true about once a second. */
type Round = (isSecond: boolean) => Promise<boolean>

/**
 * Calls a function five times a second, and once a second after two seconds in which it has returned false. Not again
 * before it has resolved; `failed` is called with what it throws. Does not keep the process alive.
 */
export function startRounds(round: Round, failed: (error: unknown) => void): { readonly stop: () => void } {
  let rounds = 0
  let quietRounds = 0
  let isStopped = false
  let timer = wait()

  function isCalm(): boolean {
    return quietRounds >= roundsUntilCalm
  }

  function wait(): NodeJS.Timeout {
    return setTimeout(run, isCalm() ? calmMilliseconds : busyMilliseconds).unref()
  }

  async function run(): Promise<void> {
    try {
      const isSecond = isCalm() || rounds++ % 5 === 0
      quietRounds = (await round(isSecond)) ? 0 : quietRounds + 1
    } catch (error) {
      failed(error)
    }
    if (!isStopped) timer = wait()
  }

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

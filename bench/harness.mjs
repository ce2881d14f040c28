/**
 * Times contenders against each other in one process. A contender is `(n) => …`, a loop of its own over `n` calls that
 * returns something made of their results. In every round all of them run, in a new random order; what counts is the
 * median of the ratios within the rounds, never a ratio of times of different runs. The time is the processor's, of the
 * whole process: what other processes do meanwhile hardly shows, and what threads of its own do, such as collecting
 * garbage, does.
 *
 * @param {Record<string, (n: number) => unknown>} contenders
 * @param {{ rounds?: number, milliseconds?: number, warmUps?: number }} [options]
 */
export function paired(contenders, { rounds = 11, milliseconds = 40, warmUps = 3 } = {}) {
  const names = Object.keys(contenders)
  const calls = Object.fromEntries(names.map((name) => [name, calibrate(contenders[name], milliseconds)]))
  const nanoseconds = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of shuffled(names)) {
      const each = (time(contenders[name], calls[name]) / calls[name]) * 1e6
      if (round >= 0) nanoseconds[name].push(each)
    }
  }
  return {
    /** The processor's nanoseconds for one call, round by round. */
    nanoseconds,
    /** Their medians. */
    medians: Object.fromEntries(names.map((name) => [name, median(nanoseconds[name])])),
    /** How many times the time of `ours` that of `peer` is: the median of the rounds. */
    ratio: (peer, ours) => median(nanoseconds[peer].map((each, round) => each / nanoseconds[ours][round])),
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

let sink

function time(contender, n) {
  const start = process.cpuUsage()
  sink = contender(n)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function calibrate(contender, milliseconds) {
  let n = 64
  let elapsed = time(contender, n)
  while (elapsed < milliseconds / 4) {
    n *= 2
    elapsed = time(contender, n)
  }
  return Math.max(1, Math.round((n * milliseconds) / elapsed))
}

function shuffled(names) {
  return names
    .map((name) => [Math.random(), name])
    .toSorted(([a], [b]) => a - b)
    .map(([, name]) => name)
}

/** What the contenders returned last, so that no engine may leave their work out. */
export const lastResult = () => sink

import { paired } from './harness.mjs'

/**
 * Times groups of contenders, the first of each being ours, prints a table, and answers whether all goals are met: how
 * many times our time that of a peer is at least. A group that misses one is tried twice more, with more rounds.
 *
 * @param {readonly {
 *   title: string,
 *   contenders: Record<string, (n: number) => unknown>,
 *   goals: Record<string, number | undefined>,
 * }[]} groups
 * @param {{ rounds: number, only?: string }} options `only` groups whose titles begin with it
 */
export function compare(groups, { rounds, only = '' }) {
  console.log(`Node ${process.version}, ${rounds} rounds; nanoseconds of one call, and how many times ours that is`)
  const missed = groups.filter(({ title }) => title.startsWith(only)).filter((group) => !meetsGoals(group, rounds))
  if (missed.length > 0) console.log(`\nMissed: ${missed.map(({ title }) => title).join('; ')}`)
  return missed.length === 0
}

function meetsGoals({ title, contenders, goals }, rounds) {
  const [ours, ...peers] = Object.keys(contenders)
  for (const factor of [1, 2, 3]) {
    const { nanoseconds, ratio } = paired(contenders, { rounds: rounds * factor })
    console.log(`\n${title}${factor > 1 ? `, again with ${rounds * factor} rounds` : ''}`)
    console.log(`  ${cells(ours, nanoseconds(ours))}`)
    const met = peers.map((peer) => {
      const goal = goals[peer] ?? 0
      const reached = ratio(peer, ours)
      const verdict = goal === 0 ? '' : `, goal ${goal}${reached >= goal ? '' : ' MISSED'}`
      console.log(`  ${cells(peer, nanoseconds(peer))}${reached.toFixed(2).padStart(8)}${verdict}`)
      return reached >= goal
    })
    if (!met.includes(false)) return true
  }
  return false
}

function cells(name, nanoseconds) {
  return name.padEnd(32) + nanoseconds.toFixed(1).padStart(9)
}

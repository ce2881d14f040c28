/** What a function spent in a profile: microseconds, or bytes. */
interface Spent {
  readonly name: string
  /** Without what it calls. */
  self: number
  /** With what it calls. */
  total: number
}

/** Reads folded stacks, lines such as `main;a;b 1200`, and sums them by function. The first frame is the thread. */
export function sumByFunction(text: string): ReadonlyMap<string, Spent> {
  const spent = new Map<string, Spent>()
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ')
    const value = Number(line.slice(space + 1))
    if (space <= 0 || !(value > 0)) continue
    const [, ...frames] = line.slice(0, space).split(';')
    for (const name of new Set(frames)) {
      const one = spent.get(name) ?? { name, self: 0, total: 0 }
      spent.set(name, one)
      one.total += value
    }
    const last = spent.get(frames.at(-1) ?? '')
    if (last !== undefined) last.self += value
  }
  return spent
}

const most = 10
const period = 60_000
const maxKinds = 1_000

interface Counted {
  readonly since: number
  written: number
  omitted: number
}

/**
 * Limits how often records of one kind are written: ten a minute. The returned function is called for each; it returns
 * how many were omitted since the last that was written, or `undefined` for one to omit.
 */
export function limitRepeats(now: () => number = () => performance.now()): (kind: string) => number | undefined {
  const kinds = new Map<string, Counted>()
  return (kind) => {
    const before = kinds.get(kind)
    const isOver = before !== undefined && now() - before.since >= period
    const counted =
      before === undefined || isOver ? { since: now(), written: 0, omitted: before?.omitted ?? 0 } : before
    if (counted !== before) {
      const [oldest] = kinds.keys()
      if (kinds.size >= maxKinds && oldest !== undefined) kinds.delete(oldest)
      kinds.set(kind, counted)
    }
    if (counted.written >= most) {
      counted.omitted++
      return undefined
    }
    counted.written++
    const { omitted } = counted
    counted.omitted = 0
    return omitted
  }
}

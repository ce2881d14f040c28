import { setUnrefTimeout } from '../../base/timers.ts'

/** Places for checks that run at once. */
export interface Places {
  /**
   * Calls `begin` when there is a place, at once where there is one already, first come first served. The place is given
   * back by the function that it answers, or after a time: who is that slow waits, and keeps nobody else from running.
   * Called before there is a place, that function leaves the queue.
   */
  readonly enter: (begin: () => void, holdMilliseconds: number) => () => void
}

/** As many places as there are checks. */
export const unlimitedPlaces: Places = {
  enter(begin) {
    begin()
    return () => {}
  },
}

interface Visitor {
  readonly begin: () => void
  readonly holdMilliseconds: number
  readonly leave: () => void
}

export function createPlaces(limit: number): Places {
  const queue = new Set<Visitor>()
  const inside = new Map<Visitor, NodeJS.Timeout>()

  function letIn(): void {
    for (const visitor of queue) {
      if (inside.size >= limit) return
      queue.delete(visitor)
      inside.set(visitor, setUnrefTimeout(visitor.leave, visitor.holdMilliseconds))
      visitor.begin()
    }
  }

  return {
    enter(begin, holdMilliseconds) {
      const leave = (): void => {
        if (queue.delete(visitor) || !inside.has(visitor)) return
        clearTimeout(inside.get(visitor))
        inside.delete(visitor)
        letIn()
      }
      const visitor: Visitor = { begin, holdMilliseconds, leave }
      queue.add(visitor)
      letIn()
      return leave
    },
  }
}

import { type Channel, channel } from 'node:diagnostics_channel'

const subscription: unique symbol = Symbol.for('upkeep.subscription')

interface Subscription {
  /** What it was made for; a subscription for another one takes its place. */
  readonly key: object
  users: number
  readonly end: () => void
}

interface SharedChannel extends Channel {
  [subscription]?: Subscription | undefined
}

/**
 * Subscribes to what a channel tells, once a process however often it is asked for, and until nobody asks any more: two
 * managements, or the ESM and the CommonJS copy of this package, must not make two spans of one query. It is noted on the
 * channel, which is the process's.
 */
export function subscribeOnce(name: string, key: object, begin: () => () => void): () => void {
  const at: SharedChannel = channel(name)
  if (at[subscription]?.key !== key) {
    at[subscription]?.end()
    at[subscription] = { key, users: 0, end: begin() }
  }
  const shared = at[subscription]
  shared.users += 1
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    shared.users -= 1
    if (shared.users > 0 || at[subscription] !== shared) return
    at[subscription] = undefined
    shared.end()
  }
}

import { type Channel, channel } from 'node:diagnostics_channel'

const subscription: unique symbol = Symbol.for('upkeep.subscription')

interface Subscription {
  /** What the subscription was made for; one with another key replaces it. */
  readonly key: object
  users: number
  readonly end: () => void
}

interface SharedChannel extends Channel {
  [subscription]?: Subscription | undefined
}

/**
 * Subscribes to a channel once per process, until the last user unsubscribes: two managements, or duplicate installs of
 * upkeep, must not create two spans for one query. Stored on the channel, which is process-wide.
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

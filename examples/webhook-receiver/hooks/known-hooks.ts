import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from 'upkeep'
import type { Query } from '../database/database.ts'
import { hashHookKey, isHookKey } from './hook-key.ts'
import { findHook, type Hook } from './hooks.ts'

/** How long a result is cached, also for unknown keys. Other instances notice a change with this delay. */
const freshMilliseconds = 1_000
/** The maximum number of cached keys, of hooks and of unknown keys each. */
const maxRemembered = 10_000
/** The maximum number of look-ups of unknown keys. */
const missesPerSecond = 100

/**
 * Finds hooks and caches the results for a second, so that most messages take one statement instead of two. To protect
 * the database from clients that guess keys, only keys known to be valid are looked up after a hundred misses in a
 * second.
 */
export interface KnownHooks {
  /** @throws HttpError 429 with `Retry-After` after too many unknown keys. */
  find(key: string): Promise<Hook | undefined>
  /** Clears the cache, because a hook was changed. */
  forget(): void
}

interface Found {
  readonly hook: Hook | undefined
  readonly until: number
}

export function createKnownHooks(query: Query): KnownHooks {
  // By the hashes of the keys, so that no key is stored. Misses are stored separately, so that they do not evict hooks.
  const hits = new Map<string, Found>()
  const misses = new Map<string, Found>()
  const pending = new Map<string, Promise<Hook | undefined>>()
  const limiter = new RateLimiterMemory({ points: missesPerSecond, duration: 1 })

  let generation = 0

  const lookUp = async (key: string, hash: string): Promise<Hook | undefined> => {
    const asOf = generation
    const hook = hits.has(hash) ? await findHook(query, key) : await tryKey(limiter, () => findHook(query, key))
    if (asOf !== generation) return hook
    const [into, from] = hook === undefined ? [misses, hits] : [hits, misses]
    from.delete(hash)
    remember(into, hash, { hook, until: performance.now() + freshMilliseconds })
    return hook
  }
  return {
    async find(key) {
      if (!isHookKey(key)) return undefined
      const hash = hashHookKey(key)
      const found = hits.get(hash) ?? misses.get(hash)
      if (found !== undefined && performance.now() < found.until) return found.hook
      const looking = pending.get(hash) ?? lookUp(key, hash).finally(() => pending.delete(hash))
      pending.set(hash, looking)
      return looking
    },
    forget() {
      generation++
      pending.clear()
      misses.clear()
      for (const [hash, { hook }] of hits) hits.set(hash, { hook, until: 0 })
    },
  }
}

/** Adds an entry, and removes the oldest one if the cache is full. */
function remember(into: Map<string, Found>, hash: string, found: Found): void {
  into.delete(hash)
  const [oldest] = into.keys()
  if (into.size >= maxRemembered && oldest !== undefined) into.delete(oldest)
  into.set(hash, found)
}

const everyMiss = 'misses'

/** Runs a look-up, which counts if it finds nothing. */
async function tryKey(limiter: RateLimiterMemory, find: () => Promise<Hook | undefined>): Promise<Hook | undefined> {
  try {
    await limiter.consume(everyMiss)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new HttpError(429, 'Too many keys that open no hook were tried.', { headers: { 'Retry-After': '1' } })
  }
  let isMiss = false
  try {
    const hook = await find()
    isMiss = hook === undefined
    return hook
  } finally {
    if (!isMiss) await limiter.reward(everyMiss)
  }
}

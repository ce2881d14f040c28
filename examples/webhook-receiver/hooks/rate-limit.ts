import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from 'upkeep'
import type { Hook } from './hooks.ts'

/**
 * Counts the messages of each hook, minute by minute, on this instance.
 *
 * @throws HttpError 429 with `Retry-After`, in seconds, after `perMinute` messages; 0 means no limit.
 */
export function createRateLimit(perMinute: number): (hook: Hook) => Promise<void> {
  if (perMinute === 0) return async () => {}
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async ({ id }) => {
    try {
      await limiter.consume(id)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new HttpError(429, `This hook takes ${perMinute} messages a minute.`, {
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))) },
      })
    }
  }
}

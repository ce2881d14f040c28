import type { Query } from '../database/database.ts'
import { hashHookKey, isHookKey } from './hook-key.ts'
import { findHook, type Hook } from './hooks.ts'

/** How long a hook that was found is taken for what it was; so late another instance hears that it was changed. */
const freshMilliseconds = 1_000
const most = 10_000

/** Finds hooks, and remembers those that it found for a second, so that most messages cost one statement instead of two. */
export interface KnownHooks {
  find(key: string): Promise<Hook | undefined>
  /** Takes nothing for what it was: a hook was changed. */
  forget(): void
}

export function createKnownHooks(query: Query): KnownHooks {
  const known = new Map<string, { readonly hook: Hook; readonly until: number }>()
  return {
    async find(key) {
      if (!isHookKey(key)) return undefined
      // No key is kept, not here either.
      const hash = hashHookKey(key)
      const found = known.get(hash)
      if (found !== undefined && performance.now() < found.until) return found.hook
      known.delete(hash)
      const hook = await findHook(query, key)
      if (hook !== undefined) {
        if (known.size >= most) known.clear()
        known.set(hash, { hook, until: performance.now() + freshMilliseconds })
      }
      return hook
    },
    forget: () => known.clear(),
  }
}

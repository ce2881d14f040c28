import type { Query } from '../database/database.ts'
import { findHook, type Hook } from './hooks.ts'

/** How long a hook that was found is taken for what it was; so late an instance hears that it was disabled. */
const freshMilliseconds = 1_000
const most = 10_000

/** Finds hooks, and remembers those that it found for a second, so that most messages cost one statement instead of two. */
export function createKnownHooks(query: Query): (key: string) => Promise<Hook | undefined> {
  const known = new Map<string, { readonly hook: Hook; readonly until: number }>()
  return async (key) => {
    const found = known.get(key)
    if (found !== undefined && performance.now() < found.until) return found.hook
    known.delete(key)
    const hook = await findHook(query, key)
    if (hook !== undefined) {
      if (known.size >= most) known.clear()
      known.set(key, { hook, until: performance.now() + freshMilliseconds })
    }
    return hook
  }
}

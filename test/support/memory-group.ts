import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group with a limit of memory, such as that of a container. */
interface MemoryGroup {
  /** A command that runs the rest of its arguments in the group. */
  readonly within: readonly string[]
  /** How often the kernel has killed a process of the group. */
  readonly kills: () => number
  /** Removes it; its processes must have ended. */
  readonly remove: () => void
}

/** Creates a group with a limit in bytes. Throws where that is not permitted. */
export function createMemoryGroup(limit: number): MemoryGroup {
  const { parent, version } = findParent()
  const folder = join(parent, `upkeep-test-${process.pid}-${Math.random().toString(36).slice(2)}`)
  mkdirSync(folder)
  try {
    writeFileSync(join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limit))
    const within = ['sh', '-c', 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"', 'sh', folder]
    const [command = '', ...words] = [...within, 'true']
    execFileSync(command, words, { stdio: 'ignore' })
    const events = join(folder, version === 1 ? 'memory.oom_control' : 'memory.events')
    return {
      within,
      kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1]),
      remove: () => rmdirSync(folder),
    }
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
}

/** Returns the group of this process or, in version 2, its root: only that may have groups beside processes. */
function findParent(): { readonly parent: string; readonly version: 1 | 2 } {
  const own = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
  if (own === undefined) return { parent: '/sys/fs/cgroup', version: 2 }
  const root = '/sys/fs/cgroup/memory'
  return { parent: [root + own, root].find((path) => existsSync(path)) ?? root, version: 1 }
}

/** Returns why no group can be created here; `undefined` if one can. */
export function missingMemoryGroups(): string | undefined {
  try {
    createMemoryGroup(100_000_000).remove()
    return undefined
  } catch {
    return 'control groups cannot be created here, so the memory limit of a container is not tested'
  }
}

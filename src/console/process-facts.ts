import type { Clock } from '../base/clock.ts'
import { containerLimit } from '../base/container-memory.ts'
import { lazy } from '../base/lazy.ts'
import { readGitHead } from '../runtime/git-head.ts'
import type { ApplicationFacts, Limits } from './documents.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** The id of a commit by SHA-256. */
const maxCommit = 64

/** Returns what identifies the process; the commit is read meanwhile. */
export function applicationFacts(
  application: { readonly name: string; readonly version?: string | undefined } | undefined,
  showsCommit: boolean,
  clock: Clock,
): ApplicationFacts {
  let commit: string | undefined
  if (showsCommit) {
    readGitHead('.', process.env).then(
      (head) => {
        commit = head?.commit.slice(0, maxCommit)
      },
      // The working directory may have been removed.
      () => {},
    )
  }
  return {
    name: application?.name,
    version: application?.version,
    get commit() {
      return commit
    },
    startedAt: Math.round(clock.wallTime() - process.uptime() * 1_000),
    node: process.version,
    pid: process.pid,
    host: os().hostname(),
  }
}

/** Returns what the process may use. */
export function readLimits(): Limits {
  return {
    memory: containerLimit() ?? os().totalmem(),
    heap: v8().getHeapStatistics().heap_size_limit,
    cpu: os().availableParallelism(),
  }
}

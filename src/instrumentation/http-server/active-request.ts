import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { ActiveTask } from '../../metrics/active-tasks.ts'

/** One request of the application that is in progress. */
export interface ActiveRequest {
  /** As received. */
  readonly method: string
  /** The template of its route; `undefined` until the framework has found it. */
  readonly template: string | undefined
  /** The target as received: with its query, and with any secrets in it. */
  readonly target: string
  /** When its observation began, in milliseconds of the clock's monotonic time. */
  readonly startedAt: number
  readonly trace: TraceContext | undefined
}

/** Returns the tasks that began first, the oldest first, without sorting all. */
export function oldestOf<Task extends ActiveTask>(tasks: Iterable<Task>, limit: number): readonly Task[] {
  const oldest: Task[] = []
  for (const task of tasks) {
    if (oldest.length === limit && task.startedAt >= (oldest[limit - 1]?.startedAt ?? 0)) continue
    const at = oldest.findLastIndex(({ startedAt }) => startedAt <= task.startedAt)
    oldest.splice(at + 1, 0, task)
    if (oldest.length > limit) oldest.pop()
  }
  return oldest
}

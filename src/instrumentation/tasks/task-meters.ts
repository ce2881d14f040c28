import { errorName } from '../../base/settled-work.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** Records the runs of tasks in one registry of meters. */
export interface TaskMeters {
  /** Records the start of a run. Returns the function that records its end. */
  start(name: string): (failed: boolean, error: unknown, seconds: number) => void
}

const keys = ['code.function', 'code.namespace', 'error', 'exception', 'outcome'] as const

/** The namespace of a task whose name has no dot; the value of Spring for a class without a name. */
const noNamespace = 'ANONYMOUS'

const noException = 'none'

/**
 * Returns the meters of Spring Boot: the timer `tasks.scheduled.execution` and the long task timer
 * `tasks.scheduled.execution.active`. `code.function` is the name of a task after its last dot, `code.namespace` what
 * precedes it.
 */
export function createTaskMeters(meters: MeterRegistry): TaskMeters {
  const timers = meters.timers('tasks.scheduled.execution', keys, { description: 'Runs of scheduled tasks' })
  return {
    start(name) {
      const dot = name.lastIndexOf('.')
      const method = name.slice(dot + 1)
      const namespace = dot > 0 ? name.slice(0, dot) : noNamespace
      const tags = { 'code.function': method, 'code.namespace': namespace, exception: noException, outcome: 'UNKNOWN' }
      const task = meters
        .longTaskTimer('tasks.scheduled.execution.active', tags, { description: 'Active runs of scheduled tasks' })
        .start()
      return (failed, error, seconds) => {
        task.stop()
        const exception = failed ? errorName(error) : noException
        timers.with(method, namespace, exception, exception, failed ? 'ERROR' : 'SUCCESS').record(seconds)
      }
    },
  }
}

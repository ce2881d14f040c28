import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health } from '../health/indicator.ts'

/** The tasks that have to be done before the application takes traffic. */
export interface Startup {
  /** Waits for one more task, of which a failed one of the same name counts no longer. */
  add(task: PromiseLike<unknown>, name: string): void
  /** What holds readiness down: a task that failed, before tasks under way; `undefined` when nothing does. */
  health(): Health | undefined
}

/** `changed` is called each time that a task settles. */
export function createStartup(changed: () => void, report: Report): Startup {
  const pending = new Set<{ readonly name: string }>()
  const failed = new Map<string, unknown>()

  return {
    add(promise, name) {
      const task = { name }
      pending.add(task)
      failed.delete(name)
      Promise.resolve(promise).then(
        () => {
          pending.delete(task)
          changed()
        },
        (error: unknown) => {
          pending.delete(task)
          failed.set(name, error)
          report(`the start-up task ${name} failed: the application takes no traffic`, error)
          changed()
        },
      )
    },
    health() {
      for (const [name, error] of failed) {
        return outOfService({ reason: `the start-up task ${name} failed`, error: describeError(error) })
      }
      if (pending.size === 0) return undefined
      return outOfService({ reason: `waiting for ${[...pending].map(({ name }) => name).join(', ')}` })
    },
  }
}

function outOfService(details: Readonly<Record<string, string>>): Health {
  return { status: 'OUT_OF_SERVICE', details }
}

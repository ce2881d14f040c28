import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health } from '../health/indicator.ts'

/** The tasks that must complete before the application accepts traffic. */
interface Startup {
  /** Adds a task. It replaces a failed task of the same name. */
  add(task: PromiseLike<unknown>, name: string): void
  /** Returns the reason why the application is not ready, failed tasks first, or `undefined` if it is. */
  health(): Health | undefined
}

/** Creates the start-up of an application. `changed` is called when a task settles. */
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
          report(`start-up task ${name} failed: the application does not accept traffic`, error)
          changed()
        },
      )
    },
    health() {
      for (const [name, error] of failed) {
        return outOfService({ reason: `start-up task ${name} failed`, error: describeError(error) })
      }
      if (pending.size === 0) return undefined
      return outOfService({ reason: `waiting for ${[...pending].map(({ name }) => name).join(', ')}` })
    },
  }
}

function outOfService(details: Readonly<Record<string, string>>): Health {
  return { status: 'OUT_OF_SERVICE', details }
}

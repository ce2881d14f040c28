import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health } from '../health/indicator.ts'

/** Called when a start-up task is added. Returns a function that is called when the task settles. */
export type StartupTaskListener = (name: string) => (failed: boolean) => void

/** The tasks that must complete before the application accepts traffic. */
interface Startup {
  /** Adds a task. It replaces a failed task of the same name. */
  add(task: PromiseLike<unknown>, name: string): void
  /** Calls the listener when a task is added, and its result when the task settles. Returns an unsubscribe function. */
  onTask(listener: StartupTaskListener): () => void
  /** Returns the reason why the application is not ready, failed tasks first, or `undefined` if it is. */
  health(): Health | undefined
}

/** Creates the start-up of an application. `changed` is called when a task settles. */
export function createStartup(changed: () => void, report: Report): Startup {
  const pending = new Set<{ readonly name: string }>()
  const failed = new Map<string, unknown>()
  const listeners = new Set<StartupTaskListener>()

  return {
    add(promise, name) {
      const task = { name }
      pending.add(task)
      failed.delete(name)
      const ends = [...listeners].map((listener) => listener(name))
      Promise.resolve(promise).then(
        () => {
          pending.delete(task)
          for (const end of ends) end(false)
          changed()
        },
        (error: unknown) => {
          pending.delete(task)
          failed.set(name, error)
          for (const end of ends) end(true)
          report(`start-up task ${name} failed: the application does not accept traffic`, error)
          changed()
        },
      )
    },
    onTask(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
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

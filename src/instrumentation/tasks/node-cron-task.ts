import { isFunctionAt, type ObservedJob } from './observed-job.ts'
import { timeOf } from './task-trigger.ts'

/** What the events of a task of node-cron carry. */
export interface NodeCronContext {
  readonly execution?: { readonly id: string; readonly error?: unknown } | undefined
  readonly error?: unknown
}

/** A task of node-cron 4. */
export interface NodeCronTask {
  readonly name?: string | undefined
  getNextRun(): Date | null
  getStatus(): string
  getPattern?(): string
  on(event: string, listener: (context: NodeCronContext) => void): unknown
  off(event: string, listener: (context: NodeCronContext) => void): unknown
}

export function isNodeCronTask(job: object): job is NodeCronTask {
  return isFunctionAt(job, 'getNextRun') && isFunctionAt(job, 'getStatus') && isFunctionAt(job, 'on')
}

/** Observes a task by its events. Runs are distinguished by the id of the execution. */
export function observeNodeCron(task: NodeCronTask): ObservedJob {
  const pattern = task.getPattern?.()
  return {
    name: task.name,
    trigger: {
      shown: { kind: pattern === undefined ? 'custom' : 'cron', expression: pattern ?? 'node-cron' },
      // A destroyed task still names its next run.
      next: () => (task.getStatus() === 'destroyed' ? undefined : timeOf(task.getNextRun())),
    },
    observe({ start, restart }) {
      const active = new Map<string, ReturnType<typeof start>>()
      const end = (failed: boolean, { execution, error }: NodeCronContext) => {
        const id = execution?.id ?? ''
        active.get(id)?.(failed, execution?.error ?? error)
        active.delete(id)
      }
      const listeners: readonly (readonly [string, (context: NodeCronContext) => void])[] = [
        ['execution:started', ({ execution }) => void active.set(execution?.id ?? '', start())],
        ['execution:finished', (context) => end(false, context)],
        ['execution:failed', (context) => end(true, context)],
        ['task:started', restart],
        ['task:stopped', restart],
      ]
      for (const [event, listener] of listeners) task.on(event, listener)
      return () => {
        for (const [event, listener] of listeners) task.off(event, listener)
      }
    },
  }
}

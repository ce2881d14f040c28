import type { Clock } from '../../base/clock.ts'
import { runBounded } from '../../base/deadline.ts'
import type { Report } from '../../base/report.ts'

/** A step of a shutdown that has not started yet. */
export interface PlannedStep {
  readonly name: string
  readonly run: (signal: AbortSignal) => unknown
  /** How long the shutdown waits for it. */
  readonly timeoutMilliseconds: number
  /** Ends what is not done in time, and returns a description of it. */
  readonly force?: () => string
}

/** The outcome of a step of a shutdown, and its duration. */
export type ShutdownStep = { readonly name: string; readonly milliseconds: number } & (
  | { readonly outcome: 'done' | 'timed out' }
  | { readonly outcome: 'failed'; readonly error: unknown }
)

/** Runs a step, up to its timeout, and reports its outcome. Never rejects. */
export async function runStep(step: PlannedStep, clock: Clock, report: Report): Promise<ShutdownStep> {
  const start = clock.monotonicTime()
  const outcome = await runBounded(step.run, step.timeoutMilliseconds)
  const result = { ...outcome, name: step.name, milliseconds: clock.monotonicTime() - start }
  const after = `after ${Math.round(result.milliseconds)}ms`
  switch (result.outcome) {
    case 'done':
      report(`shutdown: ${step.name} done ${after}`)
      break
    case 'timed out':
      report(`shutdown: ${step.name} not done ${after}, ${step.force?.() ?? 'continuing'}`)
      break
    case 'failed':
      report(`shutdown: ${step.name} failed ${after}`, result.error)
  }
  return result
}

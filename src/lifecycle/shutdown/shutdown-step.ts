import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import { type Outcome, runBounded } from './bounded.ts'

/** A step to come. */
export interface PlannedStep {
  readonly name: string
  readonly run: (signal: AbortSignal) => unknown
  /** How long it is waited for. */
  readonly timeoutMilliseconds: number
  /** Ends by force what is not done by then, and says what that was. */
  readonly force?: () => string
}

/** How a step of a shutdown went. */
export type ShutdownStep = Outcome & { readonly name: string; readonly milliseconds: number }

/** Takes a step, within its bounds, and reports how it went. Never rejects. */
export async function takeStep(step: PlannedStep, clock: Clock, report: Report): Promise<ShutdownStep> {
  const start = clock.monotonicTime()
  const outcome = await runBounded(step.run, step.timeoutMilliseconds)
  const taken = { ...outcome, name: step.name, milliseconds: clock.monotonicTime() - start }
  const after = `after ${Math.round(taken.milliseconds)}ms`
  switch (taken.outcome) {
    case 'done':
      report(`shutdown: ${step.name} done ${after}`)
      break
    case 'timed out':
      report(`shutdown: ${step.name} not done ${after}, ${step.force?.() ?? 'going on without'}`)
      break
    case 'failed':
      report(`shutdown: ${step.name} failed ${after}`, taken.error)
  }
  return taken
}

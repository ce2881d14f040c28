import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { Authorize } from './authorize.ts'
import type { Router } from './router.ts'

/** What all exchanges of one server share. */
export interface ExchangeContext {
  readonly router: Router
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  readonly report: Report
  readonly refuseCrossSite?: boolean | undefined
  /** Aborts when endless responses must end. */
  readonly draining?: AbortSignal | undefined
}

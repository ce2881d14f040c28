import { originForm, pathOf } from '../../http/conventions/target.ts'
import type { ActiveRequest } from '../../instrumentation/http-server/active-request.ts'
import type { RunningRequestFacts } from '../documents.ts'

/** Longer targets are not kept or shown: what a client sends must not decide how much memory is used. */
export const maxTargetLength = 512
export const maxMethodLength = 32

/** Returns the path of a target: without its query, and without the parameters of its segments. */
export function barePathOf(target: string): string {
  return pathOf(originForm(target)).replace(/;[^/]*/g, '')
}

/** Returns requests in progress. `timeOrigin` is the wall time at 0 of the monotonic time. */
export function showRunning(
  requests: readonly ActiveRequest[],
  redactPath: (path: string, template: string | undefined) => string,
  timeOrigin: number,
): readonly RunningRequestFacts[] {
  return requests.map(({ method, template, target, startedAt, trace }) => ({
    at: timeOrigin + startedAt,
    method: method.length <= maxMethodLength ? method : 'UNKNOWN',
    route: template,
    path: target.length <= maxTargetLength ? redactPath(barePathOf(target), template) : '',
    traceId: trace?.traceId,
  }))
}

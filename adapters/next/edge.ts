import type { Management } from '../../src/entries/index.ts'
import { allMethods, type RouteHandlers } from './route-handlers.ts'

// What `upkeep/next` is in the edge runtime, by the condition `edge-light` of package.json. It imports no module that
// needs Node.

const reason =
  'upkeep/next: not available in the edge runtime, which has no process to manage: ' +
  'remove `runtime = "edge"` from this route, so that it runs on Node.js'

/** Does nothing: Next.js calls `register` of `instrumentation.ts` in both runtimes. */
export async function registerManagement(): Promise<void> {}

/** @throws Error always. */
export function management(): Management {
  throw Object.assign(new Error(reason), { code: 'UPKEEP_ESTATE' })
}

/** Returns route handlers that respond with 501 and the reason. */
export function manage(): RouteHandlers {
  return allMethods(async () => {
    const problem = { type: 'about:blank', title: 'Not Implemented', status: 501, detail: reason }
    return Response.json(problem, { status: 501, headers: { 'content-type': 'application/problem+json' } })
  })
}

/** Does nothing: the server observes the requests of the edge runtime, too. */
export function onRequestError(): void {}

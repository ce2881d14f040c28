import { notFoundResponse, recordError, withErrorCode } from '../src/entries/adapter.ts'
import { createManagement, type Management, type ManagementOptions } from '../src/entries/index.ts'
import { startTelemetry, type TelemetryOptions } from '../src/entries/otlp.ts'
import { toManagementRequest } from './next/next-request.ts'
import { observeServers } from './next/observe-servers.ts'
import { processState } from './next/process-state.ts'
import { allMethods, type RouteHandler, type RouteHandlers } from './next/route-handlers.ts'
import { toRouteResponse } from './next/route-response.ts'
import { prepareShutdown } from './next/shutdown.ts'
import type { ShutdownOptions } from './node.ts'

export type { RouteHandler, RouteHandlers }

/** Options of `registerManagement`: those of `createManagement`, and what belongs to the process. */
export interface RegisterOptions extends ManagementOptions {
  /** Sends metrics, traces and logs over OTLP, and flushes them at shutdown. @default not sent */
  readonly telemetry?: Omit<TelemetryOptions, 'management'> | undefined
  /**
   * Options of the graceful shutdown; `false` for none. Requires the variable `NEXT_MANUAL_SIG_HANDLE`, without which
   * Next.js exits by itself.
   */
  readonly shutdown?: ShutdownOptions | false | undefined
}

/**
 * Creates the management of the process, and observes its requests. For `register` of `instrumentation.ts`. A second
 * call has no effect, nor has one in the edge runtime.
 *
 * Rejects with a TypeError for invalid options.
 */
export async function registerManagement(options: RegisterOptions = {}): Promise<void> {
  const state = processState()
  if (state.management !== undefined) return
  const { telemetry, shutdown = {}, ...rest } = options
  const created = createManagement(rest)
  state.management = created
  const exported = telemetry === undefined ? undefined : await startTelemetry({ ...telemetry, management: created })
  observeServers(created, prepareShutdown(created, shutdown, exported))
}

/**
 * Returns the management of the process, in every module graph of Next.js.
 *
 * @throws Error before `registerManagement`, as while `next build` evaluates modules, and in the edge runtime.
 */
export function management(): Management {
  const { management: known } = processState()
  if (known !== undefined) return known
  throw withErrorCode(
    new Error(
      'upkeep/next: no management in this process: call registerManagement in register() of instrumentation.ts, ' +
        'and management() in functions, because `next build` evaluates modules without it',
    ),
    'UPKEEP_ESTATE',
  )
}

/**
 * Returns the route handlers that serve the management endpoints, for `app/management/[[...path]]/route.ts`. Requests
 * that are not for an endpoint receive a 404.
 */
export function manage(): RouteHandlers {
  const handle: RouteHandler = async (request) => {
    const managed = management()
    const response = processState().responses.getStore()
    const received = toManagementRequest(request, response)
    const responding = managed(received)
    if (responding === undefined) return toRouteResponse(notFoundResponse(received), response)
    if (response !== undefined) managed.observation.excludeFromObservation(response)
    return toRouteResponse(await responding, response)
  }
  return allMethods(handle)
}

/** Records the errors of pages and route handlers on their requests. To be re-exported by `instrumentation.ts`. */
export function onRequestError(error: unknown): void {
  const response = processState().responses.getStore()
  if (response !== undefined) recordError(response, error)
}

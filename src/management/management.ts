import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Report } from '../base/report.ts'
import type { ClusterHost } from '../cluster/cluster-host.ts'
import type { ManagementRequest, ManagementResponse } from '../http/message.ts'
import type { Observation } from '../instrumentation/observation.ts'
import type { Availability } from '../lifecycle/availability.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { DescribedOperation } from '../rest/openapi/operation.ts'
import type { DiagnosticThread } from '../watch/diagnostics/diagnostics.ts'
import type { ManagementHealth } from './managed-health.ts'
import type { Mappings } from './mappings/mappings.ts'
import type { ManagementOptions } from './options.ts'

/**
 * The management of an application. Called with a request, it returns the response, or `undefined` if the request is
 * not for it and has to be passed on. The response is returned synchronously where nothing has to be waited for; a
 * promise never rejects.
 */
export interface Management {
  /** Returns the response, or `undefined` if the request is not for an endpoint. */
  (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined
  /** Liveness and readiness, which the application sets and probes report. */
  readonly availability: Availability
  /** The health of the application, for its own use. */
  readonly health: ManagementHealth
  /** The option `application`. */
  readonly application: ManagementOptions['application']
  /** The option `paths`. */
  readonly paths: Readonly<Record<string, string>>
  /**
   * The same management, which responds to probes only. For the port of the application, if the endpoints have a port
   * of their own. The probes are `/livez` and `/readyz`, or where `paths` places `health/liveness` and
   * `health/readiness` at the root of the server, and all other paths of health there.
   *
   * @throws TypeError if `health` is not exposed.
   */
  readonly probes: Management
  /** The meters of the application. Reading this starts to measure, if that has not begun. */
  readonly meters: MeterRegistry
  /** The meters of the application and those of `metrics.sources`; in a cluster, those of this member. */
  readonly measurements: SnapshotSource
  /** Observes the requests of the application. For adapters. */
  readonly observation: Observation
  /** The routes of the application, which the endpoint `mappings` shows. For adapters. */
  readonly mappings: Mappings
  /**
   * Calls `ManagementOptions.report`, and never throws. The default of functions that take a management and have a
   * `report`.
   */
  readonly report: Report
  /** The thread of profiles and dumps, which `watchdog` provides; without one, it starts with the first request. */
  readonly diagnostics: DiagnosticThread
  /** Where `joinCluster` of `upkeep/cluster` attaches what the endpoints show of a cluster. */
  readonly cluster: ClusterHost
  /** Returns the operations of the exposed endpoints, for an OpenAPI description. */
  describeOperations(): readonly DescribedOperation[]
  /** Aborts when the drain of a shutdown begins, and by `close()`. For what ends with the service. */
  readonly draining: AbortSignal
  /** Ends endless responses, and those that begin later. Called by `shutdownGracefully` when the drain begins. */
  endStreams(): void
  /**
   * Registers a function that the endpoint `shutdown` calls with a reason. Returns a function that removes it. Called
   * by `shutdownGracefully`.
   */
  onShutdownRequest(start: (reason: string) => unknown): () => void
  /**
   * Stops the meters of the process, all instrumentations and timers, and ends endless responses. For tests, and for an
   * application that continues without management.
   */
  close(): void
}

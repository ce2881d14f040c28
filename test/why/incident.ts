import type { Management, ManagementOptions } from 'upkeep'
import type { Logger } from 'upkeep/logging'
import type { StatementKind } from '../../src/console/why/why-document.ts'

/** What a run gives to the service of an incident. */
export interface Surroundings {
  /** Requests another service over a socket, which responds after a time with a status. */
  readonly callPayments: (response: { readonly milliseconds?: number; readonly status?: number }) => Promise<number>
  readonly logger: Logger
}

/** A small service. A handler that throws responds with 500, one that returns a status with that. */
export interface Service {
  /** @default none */
  readonly options?: ManagementOptions
  /** Called once the management is created. */
  readonly start?: (management: Management) => void
  /** Called when the incident begins. */
  readonly begin?: () => void
  /** Handles a request of this number; `isIncident` once the incident has begun. */
  readonly handle: (request: { readonly path: string; readonly number: number }, isIncident: boolean) => unknown
}

/** One planted incident, or a healthy run. Each is a file, which exports it as `incident`. */
export interface Incident {
  readonly title: string
  /** The statement that must be among the first two; `undefined` for a healthy run, which must have none. */
  readonly expected?: { readonly kind: StatementKind; readonly text: RegExp }
  /** Options of node for the process of the service. */
  readonly nodeOptions?: readonly string[]
  /** The minutes before the incident. @default 12 */
  readonly minutesBefore?: number
  /** By how much the clock of the system jumps when the incident begins, in milliseconds. @default 0 */
  readonly wallClockShift?: number
  /** Whether the receiver of telemetry responds with 400 in the incident. @default false */
  readonly receiverFails?: boolean
  /** The minutes of the incident by the clock of the service. @default 2 */
  readonly minutes?: number
  /** How long requests go on without an advance of the clock, in seconds of real time, at the end. @default 0 */
  readonly seconds?: number
  /** The requests of each minute, before and in the incident. @default 40 and 40 */
  readonly requests?: readonly [before: number, during: number]
  /** Requests in progress at once. @default 4 */
  readonly concurrency?: number
  /** The path of a request. @default `/orders/<number>` */
  readonly pathOf?: (number: number) => string
  readonly create: (surroundings: Surroundings) => Service
}

/** What a real service waits for. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}

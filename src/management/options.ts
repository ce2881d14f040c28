import type { Clock } from '../clock.ts'
import type { HealthOptions } from '../endpoints/health.ts'
import type { Authorize } from '../http/authorize.ts'
import type { Report } from '../report.ts'
import type { InfoOptions } from '../runtime/info-contributors.ts'

/** The endpoints that can be exposed. */
export const endpointIds = ['health', 'info'] as const

export type EndpointId = (typeof endpointIds)[number]

export interface ManagementOptions {
  /** What the application is called, and which version of it runs; told by `info`. */
  readonly application?: { readonly name: string; readonly version?: string | undefined } | undefined
  /** Where the endpoints are: a path without a trailing slash, or `/`. @default '/management' */
  readonly basePath?: string | undefined
  /** Which endpoints exist over HTTP. @default ['health'] */
  readonly expose?: readonly EndpointId[] | undefined
  readonly health?: HealthOptions | undefined
  readonly info?: InfoOptions | undefined
  /** Says who is asking; without it nobody is authorized. */
  readonly authorize?: Authorize | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
  /** Told of what fails inside. @default console.error */
  readonly report?: Report | undefined
}

import type { Duration } from '../base/duration.ts'
import type { Report } from '../base/report.ts'
import type { AdminCredential } from './credential.ts'

/** The members of a management that a registration uses. */
export interface RegisteredApplication {
  /** Its name is the default of `name`. */
  readonly application?: { readonly name: string } | undefined
  /** The paths of endpoints, of which that of `health` is used. @default {} */
  readonly paths?: Readonly<Record<string, string>> | undefined
  /** Aborts when the drain of a shutdown begins, or the management is closed: the registration ends. @default never */
  readonly draining?: AbortSignal | undefined
  /** @default console.error */
  readonly report?: Report | undefined
}

/** Options of `registerAtSpringBootAdmin`. */
export interface RegistrationOptions {
  /**
   * The URL of the Spring Boot Admin server with its context path, such as `http://admin:8080`; or those of several
   * servers.
   */
  readonly url: string | readonly string[]
  /** The URL of the management as the servers reach it, such as `http://orders:3000/management`. */
  readonly managementUrl: string
  /**
   * The URL of the endpoint `health`, by which a server identifies the instance. @default `<managementUrl>/health`, or
   * where the option `paths` of the management places it
   */
  readonly healthUrl?: string | undefined
  /** The URL of the application, to which the page links. @default none */
  readonly serviceUrl?: string | undefined
  /** The name under which instances are grouped. @default the name of the management's `application` */
  readonly name?: string | undefined
  /** Shown as tags of the instance. @default {} */
  readonly tags?: Readonly<Record<string, string>> | undefined
  /**
   * Further metadata, such as `group`, `hide-url` or `disable-url`. `startup` is the start time of the process by
   * default. @default {}
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** By which the servers call the endpoints: `metadata` contains its name and password. @default none */
  readonly credential?: AdminCredential | undefined
  /** Header fields of requests to the servers, for example `{ Authorization: 'Basic …' }`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Whether the first server that accepts the registration is enough, because the servers share their instances.
   * `false` registers at all of them. @default true
   */
  readonly registerOnce?: boolean | undefined
  /** The time from one registration to the next, which is the heartbeat and the retry. @default '10s' */
  readonly period?: Duration | undefined
  /** The timeout of each request, shorter than the period. @default '5s' */
  readonly timeout?: Duration | undefined
  /** Called once when a server accepts the registration, and once when it fails. @default that of the management */
  readonly report?: Report | undefined
}

import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { invalidOption } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { checkUnsupported, type UnsupportedAbilities } from './ability.ts'
import { type ProfileName, profiles } from './profile.ts'

/** Requirement level of a rule (RFC 2119). */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'MAY'

/** Puts the service into a state and out of it; both may return a promise. */
export interface StateHook {
  /** Brings the service into the state. */
  readonly enter: () => unknown
  /** Ends the state. */
  readonly leave: () => unknown
}

/** States that requests cannot bring about. */
export type StateName = 'notReady' | 'databaseDown' | 'notAlive'

/** Who sees the details of health checks: no caller, authorized callers, or everyone. */
export type DetailsFor = 'never' | 'when-authorized' | 'always'

/** Options of `contract`. */
export interface ContractOptions {
  /**
   * URL of the service, such as `http://127.0.0.1:3000`, with the path below which it is mounted. A function is called
   * when the first case runs, for a service that starts after its tests are collected.
   */
  readonly baseUrl: string | (() => string)
  /** Path of the management endpoints below the URL. @default '/management', or '/actuator' for `spring` */
  readonly basePath?: string | undefined
  /** The option `paths` of the management: where endpoints are, if not at their ids. @default {} */
  readonly paths?: Readonly<Record<string, string>> | undefined
  /** Kind of service. @default 'upkeep' */
  readonly profile?: ProfileName | undefined
  /** Bearer token of an authorized caller. */
  readonly token?: string | undefined
  /** `Authorization` field of an authorized caller, if not a bearer token. */
  readonly authorization?: string | undefined
  /** Areas, ids or prefixes of ids, such as `health.details`; all other cases are omitted. @default all */
  readonly only?: readonly string[] | undefined
  /** Weakest level to include: `MUST` omits recommendations. @default 'MAY' */
  readonly level?: RequirementLevel | undefined
  /**
   * Endpoints of the application's own that respond to GET, such as `['queues']`: the cases about every endpoint are
   * checked for them as well. @default []
   */
  readonly endpoints?: readonly string[] | undefined
  /** Endpoints that must exist: without them, their cases fail instead of being skipped. */
  readonly expose?: readonly string[] | undefined
  /** Who sees details. @default 'when-authorized' with credentials, else unknown */
  readonly details?: DetailsFor | undefined
  /** Path of a webhook such as `/hooks/<key>`. Messages are posted to it. */
  readonly hook?: string | undefined
  /** Path of a route of the application that responds to GET with a 2xx, such as `/orders/1`. */
  readonly route?: string | undefined
  /** Path of a route that calls another service; `{url}` is replaced by its URL. */
  readonly relay?: string | undefined
  /**
   * Abilities that the server beneath the service lacks, with reasons. `rawTargets`: targets reach the application
   * unresolved; a case that fails without it is skipped with the reason.
   */
  readonly unsupported?: UnsupportedAbilities<'rawTargets'> | undefined
  /** How to bring about states. */
  readonly states?: Readonly<Partial<Record<StateName, StateHook>>> | undefined
  /** Timeout of a response. @default '10s' */
  readonly timeout?: Duration | undefined
  /** How long the service may take to show a state. @default '10s' */
  readonly patience?: Duration | undefined
  /** Called for each skipped case if the test runner cannot report one. @default console.info */
  readonly onSkip?: ((id: string, reason: string) => void) | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  url: 'baseUrl',
  endpoint: 'baseUrl',
  server: 'baseUrl',
  prefix: 'basePath',
  path: 'basePath',
  password: 'authorization',
  areas: 'only',
  include: 'only',
  webhook: 'hook',
  lacks: 'unsupported',
}

/** Validated options with defaults. */
export interface Settings extends Omit<ContractOptions, 'timeout' | 'patience' | 'profile' | 'token'> {
  readonly profile: (typeof profiles)[ProfileName]
  readonly basePath: string
  readonly paths: Readonly<Record<string, string>>
  readonly timeoutMilliseconds: number
  readonly patienceMilliseconds: number
}

/** @throws TypeError or RangeError naming the invalid option. */
export function settingsOf(options: ContractOptions): Settings {
  requireKnownOptions(
    'contract',
    options,
    [
      'baseUrl',
      'basePath',
      'paths',
      'profile',
      'token',
      'authorization',
      'only',
      'level',
      'endpoints',
      'expose',
      'details',
      'hook',
      'route',
      'relay',
      'unsupported',
      'states',
      'timeout',
      'patience',
      'onSkip',
    ],
    { foreignNames },
  )
  const { profile: name = 'upkeep', token, timeout = '10s', patience = '10s', ...rest } = options
  const profile = profiles[name]
  if (profile === undefined)
    throw invalidOption(`profile: expected ${oneOf(Object.keys(profiles))}, received ${text(name)}`)
  const { basePath = profile.basePath, authorization = token === undefined ? undefined : `Bearer ${token}` } = rest
  if (typeof options.baseUrl === 'string') checkUrl(options.baseUrl)
  else if (typeof options.baseUrl !== 'function') throw invalidOption('baseUrl: expected a URL or a function')
  if (basePath !== '' && basePath !== '/' && !/^\/.*[^/]$/.test(basePath)) {
    throw invalidOption(`basePath: expected a path without a trailing slash, received ${text(basePath)}`)
  }
  for (const option of ['hook', 'route', 'relay'] as const) checkPath(option, rest[option])
  const { paths = {} } = rest
  for (const [id, path] of Object.entries(paths)) {
    if (typeof path === 'string' && /[^/]$/.test(path)) continue
    throw invalidOption(`paths.${id}: expected a path without a trailing slash, received ${text(path)}`)
  }
  if (rest.relay !== undefined && !rest.relay.includes('{url}')) {
    throw invalidOption(`relay: expected a path with {url}, such as /relay?to={url}, received ${text(rest.relay)}`)
  }
  checkUnsupported(rest.unsupported ?? {}, ['rawTargets'])
  return {
    ...rest,
    profile,
    basePath: basePath === '/' ? '' : basePath,
    paths,
    authorization,
    details: rest.details ?? (authorization === undefined ? undefined : 'when-authorized'),
    timeoutMilliseconds: durationMilliseconds(timeout, 'timeout'),
    patienceMilliseconds: durationMilliseconds(patience, 'patience'),
  }
}

/** @throws TypeError if not an HTTP URL. */
export function checkUrl(address: string): URL {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw invalidOption(`baseUrl: expected a URL such as http://127.0.0.1:3000, received ${text(address)}`)
  }
  return new URL(address)
}

function checkPath(option: string, path: string | undefined): void {
  if (path !== undefined && !path.startsWith('/')) {
    throw invalidOption(`${option}: expected a path with a leading slash, received ${text(path)}`)
  }
}

function oneOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' or ')
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

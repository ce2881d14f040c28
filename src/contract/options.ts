import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { checkUnsupported, type UnsupportedAbilities } from './ability.ts'
import type { Level } from './level.ts'
import { type ProfileName, profiles } from './profile.ts'

/** Brings the service into a state, and out of it again; each resolves when it has said so to the service. */
export interface StateHook {
  readonly enter: () => unknown
  readonly leave: () => unknown
}

/** States that no request can bring about. */
export type StateName = 'notReady' | 'databaseDown' | 'notAlive'

/** Who sees what health checks found out: nobody, who is authorized, or everybody. */
export type DetailsFor = 'never' | 'when-authorized' | 'always'

export interface ContractOptions {
  /**
   * The address of the service, such as `http://127.0.0.1:3000`; its path is that below which the service is mounted. A
   * function is asked when the first case runs, for a service that starts after its tests are listed.
   */
  readonly baseUrl: string | (() => string)
  /** Where the management endpoints are below the address. @default '/management', or '/actuator' for `spring` */
  readonly basePath?: string | undefined
  /** The kind of service. @default 'upkeep' */
  readonly profile?: ProfileName | undefined
  /** A bearer token of somebody who is authorized. */
  readonly token?: string | undefined
  /** The `Authorization` of somebody who is authorized, where that is no bearer token. */
  readonly authorization?: string | undefined
  /** Areas, ids, or beginnings of ids, such as `health.details`: all other cases are left out. */
  readonly only?: readonly string[] | undefined
  /** The weakest rules that count: with `MUST`, recommendations are left out. @default 'MAY' */
  readonly level?: Level | undefined
  /**
   * Endpoints of the application's own that respond to GET, such as `['queues']`: the cases about every endpoint are checked
   * for them as well. @default []
   */
  readonly endpoints?: readonly string[] | undefined
  /** Endpoints that must exist: without them, their cases fail instead of being skipped. */
  readonly expose?: readonly string[] | undefined
  /** Who sees details. @default 'when-authorized' where there is a token, else unknown */
  readonly details?: DetailsFor | undefined
  /** The path of a webhook, such as `/hooks/<key>`. Messages are posted to it. */
  readonly hook?: string | undefined
  /** The path of a route of the application that answers GET with a 2xx, such as `/orders/1`. */
  readonly route?: string | undefined
  /** The path of a route that asks another service, with `{url}` where that one's address goes. */
  readonly relay?: string | undefined
  /**
   * What the server beneath the service cannot do, each with the reason. `rawTargets`: to hand on a path with its dots, where
   * it makes a URL of that first; a case that does not hold for it is skipped with the reason.
   */
  readonly unsupported?: UnsupportedAbilities<'rawTargets'> | undefined
  /** How to bring about states. */
  readonly states?: Readonly<Partial<Record<StateName, StateHook>>> | undefined
  /** How long an answer may take. @default '10s' */
  readonly timeout?: Duration | undefined
  /** How long the service may take to be seen in a state. @default '10s' */
  readonly patience?: Duration | undefined
  /** Told of each case that is skipped where the test runner has no word for it. @default console.info */
  readonly onSkip?: ((id: string, reason: string) => void) | undefined
}

/** Options with their defaults, each checked. */
export interface Settings extends Omit<ContractOptions, 'timeout' | 'patience' | 'profile' | 'token'> {
  readonly profile: (typeof profiles)[ProfileName]
  readonly basePath: string
  readonly timeoutMilliseconds: number
  readonly patienceMilliseconds: number
}

/** @throws TypeError, RangeError naming the option and what it may be. */
export function settingsOf(options: ContractOptions): Settings {
  const { profile: name = 'upkeep', token, timeout = '10s', patience = '10s', ...rest } = options
  const profile = profiles[name]
  if (profile === undefined) throw new TypeError(`profile must be ${oneOf(Object.keys(profiles))}, not ${text(name)}`)
  const { basePath = profile.basePath, authorization = token === undefined ? undefined : `Bearer ${token}` } = rest
  if (typeof options.baseUrl === 'string') checkUrl(options.baseUrl)
  else if (typeof options.baseUrl !== 'function') throw new TypeError('baseUrl must be an address, or a function')
  if (basePath !== '' && basePath !== '/' && !/^\/.*[^/]$/.test(basePath)) {
    throw new TypeError(`basePath must be a path without a trailing slash, not ${text(basePath)}`)
  }
  for (const option of ['hook', 'route', 'relay'] as const) checkPath(option, rest[option])
  if (rest.relay !== undefined && !rest.relay.includes('{url}')) {
    throw new TypeError(`relay must hold {url}, as /relay?to={url} does, not ${text(rest.relay)}`)
  }
  checkUnsupported(rest.unsupported ?? {}, ['rawTargets'])
  return {
    ...rest,
    profile,
    basePath: basePath === '/' ? '' : basePath,
    authorization,
    details: rest.details ?? (authorization === undefined ? undefined : 'when-authorized'),
    timeoutMilliseconds: durationMilliseconds(timeout, 'timeout'),
    patienceMilliseconds: durationMilliseconds(patience, 'patience'),
  }
}

/** @throws TypeError where that is no address of HTTP. */
export function checkUrl(address: string): URL {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new TypeError(`baseUrl must be an address such as http://127.0.0.1:3000, not ${text(address)}`)
  }
  return new URL(address)
}

function checkPath(option: string, path: string | undefined): void {
  if (path !== undefined && !path.startsWith('/')) {
    throw new TypeError(`${option} must be a path that begins with a slash, not ${text(path)}`)
  }
}

function oneOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' or ')
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

import { wait } from '../base/timers.ts'
import { type Answer, answerOf, describeRequest } from './answer.ts'
import { noState, skip, violationError, violationOf } from './check-result.ts'
import { type Origin, originOf, send, type WireRequest } from './http-client/send.ts'
import { isObject, type Json } from './json.ts'
import { checkUrl, type Settings, type StateName } from './options.ts'

export interface Asking {
  /** @default 'GET' */
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly content?: string | Uint8Array | undefined
  /** Sends no credentials, even if there is a token. */
  readonly stranger?: boolean | undefined
  readonly version?: '1.0' | '1.1' | undefined
}

/** A service, as checks see it. */
export interface Service {
  readonly settings: Settings
  /** Requests a path below the base path, such as `/health`. */
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Requests a path of the application. */
  askApplication(path: string, asking?: Asking): Promise<Answer>
  /** Requests a path of the server, such as that of a link. */
  askServer(path: string, asking?: Asking): Promise<Answer>
  /** Sends pipelined requests on one connection. */
  askTogether(paths: readonly string[]): Promise<readonly Answer[]>
  /** Returns the target of a path below the base path. */
  at(path: string): string
  /** Whether an endpoint is exposed; `links` is the index at the base path. */
  has(endpoint: string): Promise<boolean>
  /** Runs a function while the service is in a state, and waits until it has left it. */
  during(state: StateName, act: () => Promise<void>): Promise<void>
  /** Repeats a check until it succeeds, or `patience` has passed. */
  eventually(look: () => Promise<void>): Promise<void>
}

const breath = 25

/** Returns a service; sends no request before a check does. */
export function createService(settings: Settings): Service {
  const { timeoutMilliseconds, patienceMilliseconds, authorization, states = {} } = settings
  let address: { readonly origin: Origin; readonly prefix: string } | undefined
  let exposed: Promise<ReadonlySet<string>> | undefined

  function where() {
    if (address === undefined) {
      const { baseUrl, basePath } = settings
      const url = checkUrl(typeof baseUrl === 'string' ? baseUrl : baseUrl())
      const path = url.pathname.replace(/\/$/, '')
      // The URL of the endpoints themselves is accepted as well.
      const prefix = basePath !== '' && path.endsWith(basePath) ? path.slice(0, -basePath.length) : path
      address = { origin: originOf(url), prefix }
    }
    return address
  }

  function requestOf(target: string, asking: Asking, connection = 'close'): WireRequest {
    const { method = 'GET', headers = {}, content, stranger = false, version } = asking
    const credentials = stranger || authorization === undefined ? {} : { Authorization: authorization }
    const host = version === '1.0' ? {} : { Host: where().origin.authority }
    const fields = { ...host, Connection: connection, ...credentials, ...headers }
    return { method, target, fields, content, version }
  }

  async function exchange(requests: readonly WireRequest[]): Promise<readonly Answer[]> {
    const sent = requests.map(describeRequest).join('\n')
    try {
      const responses = await send(where().origin, requests, timeoutMilliseconds)
      return responses.map((response, at) => answerOf(requests[at] as WireRequest, response))
    } catch (error) {
      throw violationError({
        sent,
        received: `no response: ${(error as Error).message}`,
        expected: 'a valid HTTP response',
      })
    }
  }

  async function askAt(target: string, asking: Asking): Promise<Answer> {
    const [answer] = await exchange([requestOf(target, asking)])
    return answer as Answer
  }

  const service: Service = {
    settings,
    at: (path) => targetOf(path, where().prefix, settings),
    ask: (path, asking = {}) => askAt(service.at(path), asking),
    askApplication: (path, asking = {}) => askAt(where().prefix + path, asking),
    askServer: (path, asking = {}) => askAt(path, asking),
    askTogether: (paths) =>
      exchange(
        paths.map((path, at) => requestOf(service.at(path), {}, at < paths.length - 1 ? 'keep-alive' : 'close')),
      ),
    async has(endpoint) {
      exposed ??= findExposed((path) => service.ask(path), [...knownEndpoints, ...(settings.endpoints ?? [])])
      // A failed lookup is repeated.
      exposed.catch(() => {
        exposed = undefined
      })
      return settings.expose?.includes(endpoint) === true || (await exposed).has(endpoint)
    },
    async during(state, act) {
      const hook = states[state] ?? skip(noState(state))
      const before = (await service.ask('/health')).status
      try {
        await hook.enter()
        await act()
      } finally {
        await hook.leave()
        await until(async () => (await service.ask('/health')).status === before)
      }
    },
    async eventually(look) {
      let last: unknown
      const seen = await until(async () => {
        try {
          await look()
          return true
        } catch (error) {
          if (violationOf(error) === undefined) throw error
          last = error
          return false
        }
      })
      if (!seen) throw last
    },
  }

  /** Whether a condition became true in time. */
  async function until(isSo: () => Promise<boolean>): Promise<boolean> {
    const end = performance.now() + patienceMilliseconds
    for (;;) {
      if (await isSo()) return true
      if (performance.now() > end) return false
      await wait(breath)
    }
  }

  return service
}

/** Returns the target of a path below the base path, such as `/health`, where the option `paths` has its endpoint. */
function targetOf(path: string, prefix: string, { basePath, paths }: Settings): string {
  const [, id = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(path) ?? []
  const moved = Object.hasOwn(paths, id) ? paths[id] : undefined
  if (moved?.startsWith('/')) return moved + rest
  return `${prefix}${basePath}${moved === undefined ? path : `/${moved}${rest}`}`
}

/** The endpoints for which the rules about every endpoint are checked, beside `ContractOptions.endpoints`. */
export const knownEndpoints: readonly string[] = ['health', 'info', 'metrics', 'prometheus']

/**
 * Returns the ids of the endpoints that a service exposes: those on its discovery page, or, without such a page, those
 * of `candidates` that respond.
 */
async function findExposed(
  get: (path: string) => Promise<Answer>,
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const page = await get('')
  const linked = page.status === 200 ? linkedIds(page.text) : undefined
  if (linked !== undefined) return new Set(['links', ...linked])
  const exposed = new Set<string>()
  for (const id of candidates) {
    if ((await get(`/${id}`)).status !== 404) exposed.add(id)
  }
  return exposed
}

function linkedIds(text: string): readonly string[] | undefined {
  try {
    const page: Json = JSON.parse(text)
    return isObject(page) && isObject(page['_links']) ? Object.keys(page['_links']) : undefined
  } catch {
    return undefined
  }
}

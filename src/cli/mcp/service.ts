import { messageOf } from '../../base/callback.ts'
import { packageVersion } from '../../base/package-version.ts'
import { wait } from '../../base/timers.ts'
import { parseObject } from '../doctor/service/request.ts'
import { type JsonObject, textOf } from '../top/top-sample.ts'
import type { ServiceSettings } from './mcp-arguments.ts'
import { createRateLimit } from './rate-limit.ts'
import { send } from './send.ts'
import { ToolError } from './tool-error.ts'

type Query = readonly (readonly [name: string, value: string | number | undefined])[]

interface ReadOptions {
  readonly query?: Query
  readonly accept?: string
  /** How long the service works before it responds. */
  readonly seconds?: number
  /** The bytes that are requested of a file. */
  readonly range?: string
}

/** Requests of one call of a tool. `undefined` and `false` are for 404. Everything else rejects with a ToolError. */
export interface Connection {
  readonly service: string
  /** Reads a JSON object below the base path. */
  read(path: string, options?: ReadOptions): Promise<JsonObject | undefined>
  readText(path: string, options?: ReadOptions): Promise<string | undefined>
  change(method: 'POST' | 'DELETE', path: string, options?: { query?: Query; body?: object }): Promise<boolean>
  /** Runs work of which one service does one at a time, such as a profile. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export interface Service {
  readonly name: string
  /** What no answer may contain. */
  readonly secrets: readonly string[]
  connect(tool: string, signal: AbortSignal): Connection
}

const maximumBytes = 8 * 2 ** 20

/** Without a path in the URL, where upkeep and Spring Boot have their endpoints. */
const usualBases = ['/management', '/actuator']

/** Creates a service, of which nothing is requested before the first call. */
export function createService({ name, url, authorization, timeoutMilliseconds }: ServiceSettings): Service {
  const { origin } = url
  const given = url.pathname.replace(/\/$/, '').replace(/\/console$/, '')
  const limit = createRateLimit({
    ...{ perSecond: 10, burst: 20, maximumWaitMilliseconds: 5_000 },
    ...{ now: () => performance.now(), wait },
  })
  let base = given === '' ? undefined : given
  let isBusy = false

  function connect(tool: string, signal: AbortSignal): Connection {
    const request = async (
      method: 'GET' | 'POST' | 'DELETE',
      path: string,
      { query = [], accept = 'application/json', seconds = 0, range, body }: ReadOptions & { body?: object },
    ) => {
      await limit()
      const texts = query.flatMap(([key, value]) =>
        value === undefined ? [] : [[key, String(value)] as [string, string]],
      )
      const search = new URLSearchParams(texts).toString()
      const headers = {
        ...{ Accept: accept, 'User-Agent': `upkeep-mcp/${packageVersion} (${tool})` },
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(range !== undefined && { Range: range }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      }
      const received = await send(`${origin}${path}${search && `?${search}`}`, {
        ...{ method, headers, body: body && JSON.stringify(body), maximumBytes, signal },
        timeoutMilliseconds: timeoutMilliseconds + seconds * 1_000,
      }).catch((error) => {
        throw new ToolError(`${name} is unreachable: ${reasonOf(error)}. Check that it runs, and its URL.`)
      })
      // The health of a service that is DOWN.
      const isReport = received.status === 503 && textOf(parseObject(received.text)?.['status']) !== undefined
      if (received.status === 404) return undefined
      if (!isReport && (received.status < 200 || received.status >= 300)) {
        throw new ToolError(`${name} ${adviceFor(received.status, authorization !== undefined)}`)
      }
      return received
    }

    const findBase = async (): Promise<string> => {
      if (base !== undefined) return base
      for (const each of usualBases) {
        const found = await request('GET', `${each}/health`, {})
        if (textOf(parseObject(found?.text ?? '')?.['status']) !== undefined) base = each
        if (base !== undefined) return base
      }
      throw new ToolError(
        `${name} has no health below ${usualBases.join(' or ')}: start with the base path in its URL.`,
      )
    }

    const readText: Connection['readText'] = async (path, options = {}) => {
      const received = await request('GET', placeOf(await findBase(), path), options)
      return received?.text
    }
    return {
      ...{ service: name, readText },
      async read(path, options = {}) {
        const received = await request('GET', placeOf(await findBase(), path), options)
        if (received === undefined) return undefined
        if (received.isCut) {
          throw new ToolError(`${name} responded with more than ${maximumBytes / 2 ** 20} MiB: narrow the question.`)
        }
        const found = parseObject(received.text)
        if (found === undefined) throw new ToolError(`${name} responded with something else than a JSON object.`)
        return found
      },
      async change(method, path, options = {}) {
        return (await request(method, placeOf(await findBase(), path), options)) !== undefined
      },
      async alone(work) {
        if (isBusy) throw new ToolError(`${name} is being profiled by another call: wait for its answer.`)
        isBusy = true
        try {
          return await work()
        } finally {
          isBusy = false
        }
      },
    }
  }
  const [, secret] = authorization?.split(' ') ?? []
  return { name, secrets: secret === undefined ? [] : [secret], connect }
}

/** Returns the path of an endpoint; the list of endpoints is at the base path itself. */
function placeOf(base: string, path: string): string {
  return path === '' ? base : `${base}/${path}`
}

/** Messages of TLS contain names of the peer's certificate. */
function reasonOf(error: unknown): string {
  const { code, errors: [first] = [] } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] }
  return code || first?.code || messageOf(error)
}

function adviceFor(status: number, hasToken: boolean): string {
  if (status === 401 && !hasToken) return 'responded with 401: start with UPKEEP_TOKEN or --token-file.'
  if (status === 401) return 'responded with 401: the token is not valid; start with another one.'
  if (status === 403) return 'responded with 403: the principal of the token may not do this.'
  if (status === 409) return 'responded with 409: another profile or dump is in progress; wait for its end.'
  if (status === 429) return 'responded with 429: it receives too many requests; ask later.'
  if (status === 501) return 'responded with 501: it runs without what this needs, such as the watchdog of captures.'
  if (status === 503) return 'responded with 503: it is starting, shutting down, or overloaded; ask again later.'
  if (status >= 300 && status < 400) return `redirects (${status}), which is not followed: start with the final URL.`
  return `responded with ${status}.`
}

import type { Agent, IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '../../base/clock.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { hideCredentials } from '../../base/redaction.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

/** Options of `http`. */
export interface HttpOptions {
  /** @default 'GET' */
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined
  /** The status, the statuses, or a predicate of the status that is `UP`. @default 200 to 299 */
  readonly expectedStatus?: number | readonly number[] | ((status: number) => boolean) | undefined
  /** Header fields of the request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The agent, such as an `https.Agent` with a certificate authority. @default a new connection for each check */
  readonly agent?: Agent | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** A body is read up to this number of bytes, to check that it arrives. */
const maxBodyLength = 65_536

/**
 * `UP` while a URL responds with an expected status. Redirects are not followed. A user name and password in the URL
 * are sent as basic authentication. Details: `url` (without credentials), `status`, `latency`.
 *
 * @throws RangeError if the URL is not an absolute URL of http or https.
 */
export function http(url: string | URL, options: HttpOptions = {}): HealthCheck {
  checkIndicatorOptions('http', options, ['method', 'expectedStatus', 'headers', 'agent', 'clock'], {
    status: 'expectedStatus',
    statusCode: 'expectedStatus',
    httpAgent: 'agent',
  })
  const { method = 'GET', expectedStatus = isSuccess, headers = {}, agent, clock = systemClock } = options
  const target = parseUrl(url)
  const safeUrl = hideCredentials(target.href)
  const isExpected = predicateOf(expectedStatus)

  const requestStatus = async (signal: AbortSignal): Promise<number> => {
    // Imported on demand: both modules take several milliseconds.
    const { request: send } = await (target.protocol === 'https:' ? import('node:https') : import('node:http'))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(target, { method, headers, agent: agent ?? false, signal }, resolve)
        .on('error', reject)
        .end()
    })
    let length = 0
    for await (const chunk of response) {
      length += chunk.length
      if (length > maxBodyLength) break
    }
    return response.statusCode ?? 0
  }

  return createCheck({
    request: async (signal) => {
      signal.throwIfAborted()
      const status = await requestStatus(signal)
      return { status: isExpected(status) ? 'UP' : 'DOWN', details: { status } }
    },
    context: () => ({ url: safeUrl }),
    clock,
  })
}

function parseUrl(url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw optionOutOfRange(`http: expected an absolute URL of http or https, received ${hideCredentials(String(url))}`)
  }
  return parsed
}

function predicateOf(
  expected: number | readonly number[] | ((status: number) => boolean),
): (status: number) => boolean {
  if (typeof expected === 'function') return expected
  return (status) => (typeof expected === 'number' ? status === expected : expected.includes(status))
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

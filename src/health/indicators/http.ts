import type { Agent, IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '../../base/clock.ts'
import { hideCredentials } from '../../base/redaction.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'

export interface HttpOptions {
  /** @default 'GET' */
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined
  /** The status, the statuses, or a test of the status of an answer that counts as `UP`. @default 200 to 299 */
  readonly expectedStatus?: number | readonly number[] | ((status: number) => boolean) | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whose connections to use, such as an `https.Agent` with a certificate authority. @default a new one each time */
  readonly agent?: Agent | undefined
  readonly clock?: Clock | undefined
}

/** An answer is read so far, to see that it comes; a longer one is left. */
const longestBody = 65_536

/**
 * `UP` while a URL answers with an expected status. A redirection is an answer and is not followed. A name and password in
 * the URL are sent as basic authentication. Details: `url` (without credentials), `status`, `latency`.
 *
 * @throws RangeError when the URL is no absolute one of http or https.
 */
export function http(
  url: string | URL,
  { method = 'GET', expectedStatus = isSuccess, headers = {}, agent, clock = systemClock }: HttpOptions = {},
): HealthCheck {
  const target = parseUrl(url)
  const shown = hideCredentials(target.href)
  const isExpected = testOf(expectedStatus)

  const ask = async (signal: AbortSignal): Promise<number> => {
    // Loaded when they are needed: both cost every start some milliseconds.
    const { request: send } = await (target.protocol === 'https:' ? import('node:https') : import('node:http'))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(target, { method, headers, agent: agent ?? false, signal }, resolve)
        .on('error', reject)
        .end()
    })
    let length = 0
    for await (const chunk of response) {
      length += chunk.length
      if (length > longestBody) {
        break
      }
    }
    return response.statusCode ?? 0
  }

  return createCheck({
    ask: async (signal) => {
      signal.throwIfAborted()
      const status = await ask(signal)
      return { status: isExpected(status) ? 'UP' : 'DOWN', details: { status } }
    },
    context: () => ({ url: shown }),
    clock,
  })
}

function parseUrl(url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new RangeError(`url must be an absolute URL of http or https, not ${hideCredentials(String(url))}`)
  }
  return parsed
}

function testOf(expected: number | readonly number[] | ((status: number) => boolean)): (status: number) => boolean {
  if (typeof expected === 'function') {
    return expected
  }
  return (status) => (typeof expected === 'number' ? status === expected : expected.includes(status))
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

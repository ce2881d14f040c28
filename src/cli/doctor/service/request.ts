import { get as getPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'

/** A response whose content was read. */
export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface RequestOptions {
  /** The header field. */
  readonly authorization?: string | undefined
  readonly timeoutMilliseconds: number
  /** Whether any certificate is accepted: for a program on this machine. */
  readonly acceptsCertificate?: boolean
  /** The header field; by default that of a scrape. */
  readonly accept?: string
  /** Ends the request. */
  readonly signal?: AbortSignal
}

const acceptScrape = 'text/plain;version=0.0.4, application/json;q=0.9, */*;q=0.1'

/** Content beyond this is not read. */
const maxLength = 50_000_000

/** Sends GET. Redirects are not followed. Rejects if there is no complete response in time. */
export async function get(
  url: string,
  { authorization, timeoutMilliseconds, acceptsCertificate = false, accept = acceptScrape, ...given }: RequestOptions,
): Promise<Received> {
  const timeout = AbortSignal.timeout(timeoutMilliseconds)
  const signal = given.signal === undefined ? timeout : AbortSignal.any([timeout, given.signal])
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        Accept: accept,
        ...(authorization !== undefined && { Authorization: authorization }),
      }
      const open = url.startsWith('https:') ? getSecure : getPlain
      open(url, { headers, signal, rejectUnauthorized: !acceptsCertificate }, resolve).on('error', reject)
    })
    let text = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      text += chunk
      if (text.length > maxLength) break
    }
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  } catch (error) {
    throw new Error(timeout.aborted ? `no response within ${timeoutMilliseconds} ms` : failureText(error))
  }
}

/** Of several addresses of a name, each has an error of its own. */
function failureText(error: unknown): string {
  const {
    message,
    code,
    errors: [first] = [],
  } = error as NodeJS.ErrnoException & { readonly errors?: readonly Error[] }
  return message || first?.message || code || String(error)
}

/** Whether a response is that of an endpoint, and not a page that is served for any address. */
export function isRepresentation({ status, headers }: Received): boolean {
  return status === 200 && !/^text\/html\b/i.test(headers['content-type'] ?? '')
}

/** Whether a response is a health report. */
export function isHealthReport({ text }: Received): boolean {
  return typeof parseObject(text)?.['status'] === 'string'
}

/** Returns a JSON object, `undefined` for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { hideCredentials } from '../../base/redaction.ts'
import { originForm } from '../../http/conventions/target.ts'
import type { ExchangeSlot } from './exchange-slot.ts'

/** An exchange as it is shown, in the form of Spring Boot Actuator, and with members of upkeep's own. */
interface ShownExchange {
  /** When the request began, in ISO 8601. */
  readonly timestamp: string
  readonly request: { readonly method: string; readonly uri: string; readonly headers: ShownHeaders }
  readonly response: { readonly status: number; readonly headers: ShownHeaders }
  /** An ISO 8601 duration. */
  readonly timeTaken: string
  readonly template: string | undefined
  readonly traceId: string | undefined
  readonly requestBytes: number | undefined
  readonly responseBytes: number | undefined
  readonly aborted: true | undefined
}

type ShownHeaders = Readonly<Record<string, readonly string[]>>

interface ShownExchangeContext {
  readonly requestHeaders: readonly string[]
  readonly responseHeaders: readonly string[]
  readonly redactPath: (path: string, template: string | undefined) => string
  /** Milliseconds since the epoch at 0 of the monotonic time. */
  readonly timeOrigin: number
}

/** The fields that are a URL. */
const urlFields = new Set(['location', 'content-location', 'referer'])

/** Returns an exchange without its query, and without the secrets in its path. */
export function showExchange(slot: ExchangeSlot, context: ShownExchangeContext): ShownExchange {
  const { requestHeaders, responseHeaders, timeOrigin } = context
  const startedAt = timeOrigin + slot.endedAt - slot.seconds * 1_000
  return {
    timestamp: new Date(startedAt).toISOString(),
    request: {
      method: slot.method,
      uri: uriOf(slot, context),
      headers: showHeaders(requestHeaders, slot.requestHeaders, context),
    },
    response: {
      status: slot.status,
      headers: showHeaders(responseHeaders, responseHeadersOf(slot, responseHeaders), context),
    },
    timeTaken: `PT${slot.seconds.toFixed(6)}S`,
    template: slot.template,
    traceId: slot.traceId,
    requestBytes: slot.requestBytes,
    responseBytes: slot.responseBytes,
    aborted: slot.isAborted || undefined,
  }
}

/** Returns an absolute URI, which Spring Boot Admin parses; a client may have sent something else as its host. */
function uriOf({ scheme, authority = '', target, template }: ExchangeSlot, context: ShownExchangeContext) {
  const isHost = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.test(authority)
  const origin = `${scheme}://${isHost ? authority : 'localhost'}`
  const path = showPath(withoutQuery(originForm(target)), template, context)
  return `${URL.canParse(origin) ? origin : `${scheme}://localhost`}${path.startsWith('/') ? path : `/${path}`}`
}

function responseHeadersOf({ responseHeaders, responseBytes }: ExchangeSlot, names: readonly string[]) {
  return names.map((name, at) => (name === 'content-length' ? responseBytes?.toString() : responseHeaders[at]))
}

function showHeaders(
  names: readonly string[],
  values: readonly (string | undefined)[],
  context: ShownExchangeContext,
): ShownHeaders {
  const shown = names.flatMap((name, at) => {
    const value = values[at]
    if (value === undefined) return []
    const text = urlFields.has(name) ? showUrl(value, context) : hideCredentials(value).replace(/[?#]\S*/g, '')
    return [[capitalized(name), [text]] as const]
  })
  return Object.fromEntries(shown)
}

/**
 * Returns a URL with a redacted path. Its route is not known, even if it is one of the application. What is no valid
 * host is redacted as well: it may be part of a password that contains a question mark.
 */
function showUrl(value: string, context: ShownExchangeContext): string {
  const url = hideCredentials(withoutQuery(value))
  const host =
    /^(?:[a-z][a-z\d+.-]{0,31}:)?(?:\/\/(?:\*{3}@)?(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?(?=\/|$))?/i
  const [origin = ''] = host.exec(url) ?? []
  return origin + showPath(url.slice(origin.length), undefined, context)
}

/** Redacts a path, without the parameters of its segments: one of them may be a session, as in `;jsessionid=…`. */
function showPath(path: string, template: string | undefined, { redactPath }: ShownExchangeContext): string {
  return redactPath(path.replace(/;[^/]*/g, ''), template)
}

/** Returns a URL without its query and fragment. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** Returns `Content-Type` for `content-type`. */
function capitalized(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
}

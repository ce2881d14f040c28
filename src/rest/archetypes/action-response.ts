import { withErrorCode } from '../../base/errors.ts'
import type { Caching } from '../../http/conventions/caching.ts'
import type { HandlerResult } from '../../http/resource.ts'
import type { Action } from './action.ts'
import { isReply, type Reply } from './reply.ts'
import { presentFields, type ResponseMetadata, type ResponseOptions, represent } from './represent.ts'
import type { ResourceSettings } from './resource-definition.ts'

/** What an action may return: a value, a reply with more than a value, or nothing. */
export type ActionValue<Value> = Value | Reply<Value> | undefined

/** Includes `void`, for functions without a result. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a result returns void
export type ActionResult<Value> = ActionValue<Value> | void

/** The default status of a value, with its metadata. */
type DefaultResponse = ResponseMetadata & { readonly mayBeAccepted?: boolean }

/**
 * Converts the result of an action to a response.
 *
 * @throws TypeError when anything other than a controller returns 202.
 */
export async function toResponse<Path extends string, Value>(
  result: ActionResult<Value>,
  showing: ResponseOptions<Path, Value>,
  { mayBeAccepted = false, ...defaults }: DefaultResponse,
  action: Action<Path>,
  site: ResourceSettings,
): Promise<HandlerResult> {
  if (!isReply(result)) {
    if (result !== undefined) return represent({ one: result as Value }, showing, defaults, action, site)
    return defaults.status === undefined
      ? undefined
      : { status: defaults.status, headers: presentFields(defaults.headers ?? {}) }
  }
  const { status, value, location, headers } = result as Reply<Value>
  if (status === 202 && !mayBeAccepted)
    throw withErrorCode(new TypeError('accepted: only a controller may return it'), 'UPKEEP_ESTATE')
  const address = location === undefined ? undefined : action.addressOf(location)
  const fields = { ...defaults.headers, ...headers, ...(address !== undefined && { Location: address }) }
  if (value === undefined) return { status, headers: presentFields(fields) }
  // The content is that of the created resource, not of the request's target (RFC 9110 §8.7).
  const isNew = status === 201 && address !== undefined
  const at = isNew ? { 'Content-Location': contentLocation(address, action.query) } : {}
  const shown = isNew && isShaped(action.query) ? { ...showing, ...unvalidated } : showing
  return represent({ one: value }, shown, { status, headers: { ...at, ...fields } }, action, site)
}

/** Query parameters that change the content of a response. */
const shaping: readonly string[] = ['fields', 'embed', 'accept']

/**
 * The caching of responses without validators. To PUT, since the stored representation may differ from the request (RFC
 * 9110 §9.3.4). And with content shaped by the query, whose entity tag is not that of the new resource (§15.3.2).
 */
export const unvalidated: { readonly caching: Caching } = { caching: 'no-store' }

/** Whether the query requests content other than the default. */
function isShaped(query: URLSearchParams): boolean {
  return shaping.some((name) => query.has(name))
}

/** Returns the URL from which GET retrieves the content (RFC 9110 §8.7), with the part of the query that shapes it. */
export function contentLocation(address: string, query: URLSearchParams): string {
  const shape = new URLSearchParams([...query].filter(([name]) => shaping.includes(name)))
  return shape.size === 0 ? address : `${address}?${shape}`
}

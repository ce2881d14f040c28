import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { parseList } from '../fields/list.ts'
import type { ManagementRequest } from '../message.ts'
import { headerText } from './header-text.ts'

/** Which pages of other origins may request the endpoints, and how. */
export interface CorsOptions {
  /** The origins of the pages, such as `https://ops.example`. No other origin ever receives a CORS field. */
  readonly allowedOrigins: readonly string[]
  /** GET includes HEAD and OPTIONS. @default ['GET'] */
  readonly allowedMethods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /** The request fields that a page may set, such as `Authorization` and `Content-Type`. @default [] */
  readonly allowedHeaders?: readonly string[] | undefined
  /** The response fields that a page may read, such as `ETag`. @default [] */
  readonly exposedHeaders?: readonly string[] | undefined
  /** Whether pages may send the cookies and passwords that the browser has stored. @default false */
  readonly allowCredentials?: boolean | undefined
  /** How long a browser may reuse the response to a preflight request. @default '30m' */
  readonly maxAge?: Duration | undefined
}

type Fields = Readonly<Record<string, string>>

/**
 * What CORS makes of a request: `unrelated` without `Origin` or with one that is not listed, `refused` if a listed
 * origin may not do this, otherwise `allowed`, with the fields of the response.
 */
type CorsDecision =
  | { readonly kind: 'unrelated' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'allowed'; readonly fields: Fields }

const unrelated: CorsDecision = { kind: 'unrelated' }
const refused: CorsDecision = { kind: 'refused' }

/**
 * Returns a function that decides about requests (Fetch §3.3.2–3.3.5).
 *
 * @throws RangeError if `maxAge` is not a duration.
 */
export function createCorsPolicy({
  allowedOrigins,
  allowedMethods = ['GET'],
  allowedHeaders = [],
  exposedHeaders = [],
  allowCredentials = false,
  maxAge = '30m',
}: CorsOptions): (request: ManagementRequest) => CorsDecision {
  const names = new Set(allowedHeaders.map((name) => name.toLowerCase()))
  const isMethodAllowed = (method: string) =>
    allowedMethods.some((allowed) => allowed === (method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method))
  const preflightFields: Fields = {
    'Access-Control-Allow-Methods': allowedMethods.join(', '),
    ...(allowedHeaders.length > 0 && { 'Access-Control-Allow-Headers': allowedHeaders.join(', ') }),
    'Access-Control-Max-Age': String(Math.floor(durationMilliseconds(maxAge, 'cors.maxAge') / 1_000)),
  }
  const responseFields: Fields =
    exposedHeaders.length > 0 ? { 'Access-Control-Expose-Headers': exposedHeaders.join(', ') } : {}
  // The fields contain the origin of the options, never that of a request.
  const byOrigin = new Map(
    allowedOrigins.map((origin) => {
      const common = {
        'Access-Control-Allow-Origin': origin,
        ...(allowCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
      }
      const preflight: CorsDecision = { kind: 'allowed', fields: { ...common, ...preflightFields } }
      const request: CorsDecision = { kind: 'allowed', fields: { ...common, ...responseFields } }
      return [origin, { preflight, request }] as const
    }),
  )

  return ({ method, headers }) => {
    const origin = headerText(headers, 'origin')
    const allowed = origin === undefined ? undefined : byOrigin.get(origin)
    if (allowed === undefined) return unrelated
    const intended = method === 'OPTIONS' ? headerText(headers, 'access-control-request-method') : undefined
    if (intended === undefined) return isMethodAllowed(method) ? allowed.request : refused
    const fields = parseList(headerText(headers, 'access-control-request-headers') ?? '')
    const isAllowed = isMethodAllowed(intended) && fields.every((name) => names.has(name.toLowerCase()))
    return isAllowed ? allowed.preflight : refused
  }
}

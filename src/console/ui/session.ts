import { formatQuery } from './hash-route.ts'
import { parseRetryAfter } from './retry-delays.ts'

/** What the page sends with each request. */
export type Credential =
  | { readonly kind: 'session' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly name: string; readonly password: string }

/** The ways to sign in that a service offers. */
interface Offers {
  readonly bearer: boolean
  readonly basic: boolean
}

/** A response that is not a success, or a failure to get one (`status` 0). */
export class RequestError extends Error {
  readonly status: number
  readonly offers: Offers
  readonly retryAfter: number | undefined
  /** The members of the cluster, where the selected one is gone. */
  readonly members: readonly string[] | undefined
  constructor(status: number, detail: string, offers: Offers, retryAfter?: number, members?: readonly string[]) {
    super(detail)
    this.status = status
    this.offers = offers
    this.retryAfter = retryAfter
    this.members = members
  }
}

/** The resources of the console: the script is served below `assets/`. */
const base = new URL('..', import.meta.url)
const storageKey = `upkeep-console ${base.pathname}`
const bothOffers: Offers = { bearer: true, basic: true }

/** In memory only; a reload asks again, unless the user chose to remember it for the tab. */
let credential: Credential | undefined
/**
 * Cookies are sent only where they are what authorizes: a request with cookies that is refused with a challenge `Basic`
 * opens a dialog of the browser, which would keep the password.
 */
let cookies: 'omit' | 'same-origin' = 'omit'
let member = ''
let onRefused: (error: RequestError) => void = () => {}

export function setMember(selected: string): void {
  member = selected
}

/** Calls a function when the service no longer accepts the credential. */
export function whenRefused(listener: (error: RequestError) => void): void {
  onRefused = listener
}

/** Returns the address of a resource of the console, or of another endpoint by its path. */
export function addressOf(path: string, params: Parameters<typeof formatQuery>[0] = {}): URL {
  const url = new URL(path, base)
  // A credential is not sent elsewhere, wherever a link leads.
  if (url.origin !== base.origin) throw new RequestError(0, 'The link leads to another server.', bothOffers)
  for (const [name, value] of new URLSearchParams(formatQuery({ member, ...params }))) {
    url.searchParams.append(name, value)
  }
  return url
}

/** Requests a resource. Rejects with a `RequestError` unless the response is a success. */
export async function request(path: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = typeof path === 'string' ? addressOf(path) : path
  const response = await send(url, init, credential ?? { kind: 'session' })
  if (response.ok) return response
  const error = await errorOf(response)
  if (error.status === 401) onRefused(error)
  throw error
}

/** Requests a JSON document. */
export async function requestJson(path: string | URL, signal?: AbortSignal): Promise<unknown> {
  const response = await request(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) })
  return response.json()
}

/**
 * Tries to read the overview without asking the user: with what the tab remembers, without a credential, and with the
 * session of the application. Rejects with the refusal that names the ways to sign in.
 */
export async function resume(): Promise<void> {
  const remembered = readRemembered()
  if (remembered !== undefined && (await isAccepted(remembered))) return
  cookies = 'omit'
  const refusal = await attempt({ kind: 'session' })
  if (refusal === undefined) return
  if (refusal.status !== 401 || !refusal.offers.basic) {
    cookies = 'same-origin'
    const second = await attempt({ kind: 'session' })
    if (second === undefined) return
    if (second.status === 401) cookies = refusal.status === 401 ? 'omit' : 'same-origin'
    throw second
  }
  throw refusal
}

/** Signs in. Rejects with the refusal. */
export async function signIn(tried: Credential, isRemembered: boolean): Promise<void> {
  if (tried.kind === 'session') cookies = 'same-origin'
  const refusal = await attempt(tried)
  if (refusal !== undefined) throw refusal
  if (isRemembered) useStorage((storage) => storage.setItem(storageKey, JSON.stringify(tried)))
}

export function signOut(): void {
  credential = undefined
  useStorage((storage) => storage.removeItem(storageKey))
}

/** Returns whether there is something to forget: without a credential, the session of the application authorizes. */
export function hasCredential(): boolean {
  return credential !== undefined && credential.kind !== 'session'
}

async function attempt(tried: Credential): Promise<RequestError | undefined> {
  try {
    const response = await send(new URL('overview', base), { headers: { Accept: 'application/json' } }, tried)
    if (!response.ok) return await errorOf(response)
    // The page of a sign-in in front of the service is not an overview.
    await response.json()
    credential = tried
    return undefined
  } catch (error) {
    if (error instanceof RequestError) return error
    return new RequestError(0, 'The response is not a document of upkeep.', bothOffers)
  }
}

async function isAccepted(remembered: Credential): Promise<boolean> {
  for (const mode of ['omit', 'same-origin'] as const) {
    cookies = mode
    const refusal = await attempt(remembered)
    if (refusal === undefined) return true
    if (refusal.status === 401) break
  }
  return false
}

async function send(url: URL, init: RequestInit, sent: Credential): Promise<Response> {
  const headers = new Headers(init.headers)
  try {
    if (sent.kind !== 'session') headers.set('Authorization', authorizationOf(sent))
  } catch {
    throw new RequestError(401, 'The token has characters that cannot be sent.', bothOffers)
  }
  try {
    return await fetch(url, { cache: 'no-store', redirect: 'error', ...init, credentials: cookies, headers })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new RequestError(0, 'The service cannot be reached.', bothOffers)
  }
}

function authorizationOf(sent: Exclude<Credential, { kind: 'session' }>): string {
  if (sent.kind === 'bearer') return `Bearer ${sent.token}`
  const bytes = new TextEncoder().encode(`${sent.name}:${sent.password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

async function errorOf(response: Response): Promise<RequestError> {
  const challenge = response.headers.get('WWW-Authenticate') ?? ''
  const offers = { bearer: /\bBearer\b/i.test(challenge), basic: /\bBasic\b/i.test(challenge) }
  const retryAfter = parseRetryAfter(response.headers.get('Retry-After'), Date.now())
  const document: unknown = await response.json().catch(() => undefined)
  const read = (name: string) =>
    typeof document === 'object' && document !== null ? Reflect.get(document, name) : undefined
  const [detail, members] = [read('detail'), read('members')]
  const reason = typeof detail === 'string' && detail !== '' ? detail : (reasons[response.status] ?? '')
  const text = reason || `The service responded with ${response.status}.`
  const remaining = Array.isArray(members) ? members.map(String) : undefined
  return new RequestError(response.status, text, offers, retryAfter, remaining)
}

/** Reasons for responses without one, such as those of a proxy. */
const reasons: Readonly<Record<number, string>> = {
  429: 'The service receives too many requests.',
  503: 'The service is overloaded, or not available.',
}

function readRemembered(): Credential | undefined {
  let remembered: Credential | undefined
  useStorage((storage) => {
    remembered = (JSON.parse(storage.getItem(storageKey) ?? 'null') as Credential | null) ?? undefined
  })
  return remembered
}

/** Storage can be disabled in a browser. */
function useStorage(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage)
  } catch {}
}

import { type Budget, createBudget } from '../base/budget.ts'
import { isPromise } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Authorize } from './authorize.ts'
import { isHttpError } from './errors/http-error.ts'
import { LoginLimitError } from './errors/login-limit-error.ts'

/** Failed logins of one address at once, and the seconds for one more. */
const burst = 20
const secondsPerLogin = 3

const maxAddresses = 1_000
const maxCredentials = 1_000

/**
 * Returns an `authorize` that limits failed logins by address: 20 at once, and one more each 3 seconds after that.
 * Beyond that it throws `LoginLimitError` without a look at the credentials. Credentials that were accepted before are
 * not limited, so that a client cannot lock out others that share its address, such as that of a proxy. The same wrong
 * ones again do not count, such as those of a scraper with an old token: they are no guess. Only requests with
 * `Authorization` from a known address count.
 *
 * `digest` returns a fixed-length text for credentials, which are not kept themselves.
 */
export function limitFailedLogins(authorize: Authorize, clock: Clock, digest: (secret: string) => string): Authorize {
  const budgets = new Map<string, Budget>()
  const accepted = new Set<string>()
  const rejected = new Set<string>()

  const limited: Authorize = (request) => {
    const { remoteAddress } = request
    const credentials = request.headers['authorization']
    if (remoteAddress === undefined || credentials === undefined) return authorize(request)

    const key = digest(String(credentials))
    const isKnown = accepted.has(key)
    const network = networkOf(remoteAddress)
    const budget = keep(budgets, network, budgets.get(network) ?? createBudget(clock, burst, secondsPerLogin * 1_000))
    // Taken before the result is known: requests may be sent at the same time.
    if (!isKnown && !budget.take()) throw new LoginLimitError(secondsPerLogin)
    const isGuess = !isKnown && !rejected.has(key)
    if (!isKnown && !isGuess) budget.giveBack()

    const settle = <R>(result: R): R => {
      const isAccepted = typeof result === 'object' && result !== null && !Array.isArray(result)
      remember(key, isAccepted ? accepted : rejected, isAccepted ? rejected : accepted)
      if (isAccepted && isGuess) budget.giveBack()
      return result
    }
    /** What failed without a decision, such as a directory that is away, is no failed login. */
    const fail = (error: unknown): never => {
      if (isGuess && !isHttpError(error)) budget.giveBack()
      throw error
    }
    try {
      const result = authorize(request)
      return isPromise(result) ? Promise.resolve(result).then(settle, fail) : settle(result)
    } catch (error) {
      return fail(error)
    }
  }
  const { challenge, hasExplicitCredential } = authorize
  return Object.assign(limited, { challenge, hasExplicitCredential })
}

/** Moves credentials from one set to another. The oldest ones end if there are too many. */
function remember(key: string, credentials: Set<string>, others: Set<string>): void {
  others.delete(key)
  credentials.add(key)
  if (credentials.size > maxCredentials) credentials.delete(first(credentials))
}

/** Returns the value, which becomes the newest one. The oldest one ends if there are too many. */
function keep(budgets: Map<string, Budget>, network: string, budget: Budget): Budget {
  budgets.delete(network)
  budgets.set(network, budget)
  if (budgets.size > maxAddresses) budgets.delete(first(budgets))
  return budget
}

function first(collection: { keys(): Iterator<string> }): string {
  return collection.keys().next().value as string
}

/** Returns an IPv4 address, or the first 64 bits of one of IPv6, which a client has for itself (RFC 4291 §2.5.4). */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before.slice(0, 4).join(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

import { type ManagementRequest, requireKnownOptions } from '../../src/entries/adapter.ts'
import { type Authorize, HttpError, type MaybePromise, type Principal } from '../../src/entries/index.ts'
import { incomingMessageOf } from '../node.ts'
import { describeHttpException } from './http-exception.ts'
import type { ArgumentsHost } from './nest.ts'
import { type PlatformMessages, platformMessages } from './serve-management.ts'

/** A guard of Nest. */
export interface Guard {
  canActivate(context: ArgumentsHost): boolean | PromiseLike<boolean> | ObservableLike
}

/** An Observable of RxJS, whose last value counts. */
export interface ObservableLike {
  subscribe(observer: {
    next: (value: boolean) => void
    error: (error: unknown) => void
    complete: () => void
  }): unknown
}

/** Options of `authorizeByGuard`. */
export interface GuardOptions {
  /**
   * Returns the principal of a request that the guard has admitted. @default the name and the `roles` of
   * `request.user`, or the name of the guard's class
   */
  principal?(request: object): MaybePromise<Principal | undefined>
  /** The `WWW-Authenticate` challenge of a 401. @default 'Bearer' */
  readonly challenge?: string | undefined
}

/**
 * Authorizes requests to the management by a guard of Nest, which receives the request of the platform. A request that
 * it does not admit, or rejects with 401 or 403, has no principal: it receives 401 where a principal is required. Other
 * exceptions of Nest, such as 429, are the response.
 */
export function authorizeByGuard(guard: Guard, options: GuardOptions = {}): Authorize {
  requireKnownOptions('authorizeByGuard', options, ['principal', 'challenge'], {
    foreignNames: { user: 'principal', getUser: 'principal', scheme: 'challenge' },
  })
  const { challenge } = options
  const authorize: Authorize = async (managementRequest) => {
    const { request, response } = messagesOf(managementRequest)
    const context = createContext(request, response, authorize)
    if (!(await isAdmitted(guard, context))) return undefined
    return options.principal === undefined ? principalOf(request, guard) : options.principal(request)
  }
  return challenge === undefined ? authorize : Object.assign(authorize, { challenge })
}

async function isAdmitted(guard: Guard, context: ArgumentsHost): Promise<boolean> {
  try {
    // As Nest does: any value that is not falsy admits, and a promise may be one of an Observable.
    const result: unknown = await guard.canActivate(context)
    return Boolean(isObservable(result) ? await lastValue(result) : result)
  } catch (error) {
    const { status, detail, members } = describeHttpException(error) ?? { status: 500, detail: '', members: {} }
    if (status === 401 || status === 403) return false
    throw status < 500 ? new HttpError(status, detail, { members, cause: error }) : error
  }
}

function messagesOf(request: ManagementRequest): PlatformMessages {
  const message = incomingMessageOf(request)
  const known = message && platformMessages(message)
  // On a port of its own a management is not served by the platform.
  return known ?? { request: message ?? request, response: undefined }
}

/** The `ExecutionContext` of a request to the management, which no controller handles. */
function createContext(request: object, response: object | undefined, handler: Authorize): ArgumentsHost {
  const args = [request, response, () => {}]
  const http = { getRequest: () => args[0], getResponse: () => args[1], getNext: () => args[2] }
  const context = {
    getType: () => 'http',
    getArgs: () => args,
    getArgByIndex: (index: number) => args[index],
    getClass: () => Management,
    getHandler: () => handler,
    switchToHttp: () => http,
  }
  return context as ArgumentsHost
}

/** Stands for the controller. */
class Management {}

function isObservable(value: unknown): value is ObservableLike {
  return typeof value === 'object' && value !== null && 'subscribe' in value
}

function lastValue(observable: ObservableLike): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let last = false
    observable.subscribe({
      next: (value) => {
        last = value
      },
      error: reject,
      complete: () => resolve(last),
    })
  })
}

function principalOf(request: object, guard: Guard): Principal {
  const user = memberOf(request, 'user')
  const names = ['name', 'username', 'email', 'sub', 'id'].map((key) => memberOf(user, key))
  const name = names.find((each) => typeof each === 'string' || typeof each === 'number')
  const roles = memberOf(user, 'roles')
  return {
    name: name === undefined ? guard.constructor.name : String(name),
    ...(Array.isArray(roles) && { roles: roles.filter((role) => typeof role === 'string') }),
  }
}

function memberOf(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null ? Reflect.get(object, key) : undefined
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/*
 * What has to be prepared before the application is loaded: Koa and Hono applications cannot be found once they have
 * been created in a bundle, and Fastify accepts no hooks once it is listening. The traps are on built-ins that these
 * frameworks call while an application is being created, so that neither the order of loading matters, nor whether the
 * framework is bundled. They only collect; what is found is observed when the first server listens.
 */

/** A Koa application, as far as it is needed to recognize it. */
export interface KoaApplication {
  createContext(req: object, res: object): object
  readonly context: object
  readonly middleware: readonly unknown[]
}

/** A Hono application, as far as it is needed to recognize it. */
export interface HonoApplication {
  readonly fetch: unknown
  readonly _basePath: string
}

/** A request of Fastify. */
export interface FastifyRequest {
  readonly raw: IncomingMessage
}

/** A response of Fastify. */
interface FastifyReply {
  readonly raw: ServerResponse
}

/** Called with the requests of Fastify. Does nothing until an observer replaces it. */
export interface FastifyHooks {
  onRequest(request: FastifyRequest): void
  /** Calls `done` where a body has been read, which loses the asynchronous context. */
  preValidation(reply: FastifyReply, done: () => void): void
  onError(reply: FastifyReply, error: unknown): void
}

/** What the traps have found. */
export interface Traps {
  readonly koa: ReadonlySet<KoaApplication>
  readonly hono: ReadonlySet<HonoApplication>
  readonly fastify: ReadonlySet<FastifyApplication>
  /** Applied to each Fastify application that was found. */
  readonly fastifyHooks: FastifyHooks
  /** Called when another application was found. */
  onFound: () => void
  /** Called with a function that may be a client of postgres.js, while that is being created. Does nothing by default. */
  onFunction: (candidate: object) => void
  /** Removes the traps. Applications that are created later are not found. */
  remove(): void
}

/** Sets the traps. An application that is found once is not searched for again. Never throws. */
export function setTraps(): Traps {
  const koa = new Set<KoaApplication>()
  const hono = new Set<HonoApplication>()
  const fastify = new Set<FastifyApplication>()
  const add = <T>(found: Set<T>, application: T): void => {
    if (found.has(application)) return
    found.add(application)
    traps.onFound()
  }
  const traps: Traps = {
    ...{ koa, hono, fastify },
    fastifyHooks: { onRequest: () => {}, preValidation: (_reply, done) => done(), onError: () => {} },
    onFound: () => {},
    onFunction: () => {},
    remove() {
      for (const end of ends) end()
    },
  }
  const ends = [
    trapKoa((application) => add(koa, application)),
    trapAssign(
      (application) => add(hono, application),
      (candidate) => traps.onFunction(candidate),
    ),
    trapFastify((application) => add(fastify, application), traps),
  ]
  return traps
}

/** `callback()` of Koa 2 and 3 calls `this.listenerCount('error')`. */
function trapKoa(found: (application: KoaApplication) => void): () => void {
  return replaceBuiltIn(EventEmitter.prototype, 'listenerCount', (target, type) => {
    if (type === 'error' && isKoa(target)) found(target)
  })
}

function isKoa(target: unknown): target is KoaApplication {
  // Called with emitters of any kind in each request, so that it reads one property of most of them.
  const application = target as Partial<KoaApplication>
  if (typeof application.createContext !== 'function') return false
  return Array.isArray(application.middleware) && typeof application.context === 'object'
}

/** The constructor of Hono 4 calls `Object.assign(this, options)`, and postgres.js adds its methods so to a function. */
function trapAssign(
  foundHono: (application: HonoApplication) => void,
  foundFunction: (candidate: object) => void,
): () => void {
  return replaceBuiltIn(Object, 'assign', (_object, target) => {
    if (typeof target === 'function') {
      if (Object.hasOwn(target, 'unsafe')) foundFunction(target)
    } else if (isHono(target)) foundHono(target)
  })
}

/** Other members are not read: the object may be any, and its getters may have effects. */
function isHono(target: unknown): target is HonoApplication {
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, '_basePath')) return false
  return typeof (target as Partial<HonoApplication>).fetch === 'function'
}

/** Fastify 4 and 5 publish each application before the caller of `fastify()` receives it. */
function trapFastify(found: (application: FastifyApplication) => void, traps: Pick<Traps, 'fastifyHooks'>): () => void {
  const name = 'fastify.initialization'
  const onInitialization = (message: unknown): void => {
    try {
      const { fastify } = message as { readonly fastify: FastifyApplication }
      fastify.addHook('onRequest', (request, _reply, done) => {
        traps.fastifyHooks.onRequest(request)
        done()
      })
      fastify.addHook('preValidation', (_request, reply, done) => traps.fastifyHooks.preValidation(reply, done))
      fastify.addHook('onError', (_request, reply, error, done) => {
        traps.fastifyHooks.onError(reply, error)
        done()
      })
      found(fastify)
    } catch {
      // An uncaught exception otherwise: the application is not observed.
    }
  }
  subscribe(name, onInitialization)
  return () => unsubscribe(name, onInitialization)
}

/** A Fastify application. */
interface FastifyApplication {
  readonly server: Server
  printRoutes(): string
  addHook(
    name: 'onRequest' | 'preValidation',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): void
  addHook(
    name: 'onError',
    hook: (request: FastifyRequest, reply: FastifyReply, error: unknown, done: () => void) => void,
  ): void
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Calls `look` with the object and the first argument of each call of a method. Returns a function that ends it. */
function replaceBuiltIn<K extends string>(
  owner: { [key in K]: unknown },
  key: K,
  look: (object: unknown, first: unknown) => void,
): () => void {
  const original = owner[key] as Method
  let isOn = true
  const replacement: Method = function (this: unknown, ...args) {
    if (isOn) {
      try {
        look(this, args[0])
      } catch {
        // A proxy or a getter of the application throws.
      }
    }
    return Reflect.apply(original, this, args)
  }
  try {
    const { name, length } = original
    Object.defineProperties(replacement, { name: { value: name }, length: { value: length } })
    owner[key] = replacement as (typeof owner)[K]
  } catch {
    // With --frozen-intrinsics.
  }
  return () => {
    isOn = false
    // Another replacement that was applied later has to stay in place.
    if (owner[key] === replacement) owner[key] = original as (typeof owner)[K]
  }
}

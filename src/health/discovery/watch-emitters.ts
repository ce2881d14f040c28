import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'

/** `EventEmitter` with the function that its constructor calls. */
type Emitters = typeof EventEmitter & { init?: (this: object, ...args: unknown[]) => unknown }

/** Methods of which each client has one, and other emitters mostly none. */
const methodsOfClients = ['query', 'sendCommand', 'startSession', 'createChannel', 'acquireConnection', 'getConnection']

/**
 * Calls `found` with each object that may be a client of a database, a cache or a broker, when it has been created:
 * these are emitters in all libraries, also in a bundle. Nothing else shows them: their diagnostics channels publish
 * what a client does, not the client. Returns a function that ends it. Never throws.
 */
export function watchEmitters(found: (candidate: object) => void): () => void {
  const emitters: Emitters = EventEmitter
  const { init } = emitters
  if (typeof init !== 'function') return () => {}
  let created: object[] = []
  /** Prototypes of streams that are not clients, whose other instances are skipped: each request creates two. */
  const streams = new WeakSet<object>()
  let isOn = true
  /** Constructors have returned by then. */
  const look = (): void => {
    const candidates = created
    created = []
    for (const candidate of candidates) {
      try {
        const prototype = Object.getPrototypeOf(candidate)
        if (streams.has(prototype)) continue
        if (mayBeClient(candidate)) found(candidate)
        else if ('pipe' in candidate) streams.add(prototype)
      } catch {
        // A proxy or a getter of the application throws.
      }
    }
  }
  const replacement = function (this: object, ...args: unknown[]): unknown {
    if (isOn) {
      if (created.length === 0) queueMicrotask(look)
      created.push(this)
    }
    return Reflect.apply(init, this, args)
  }
  try {
    emitters.init = replacement
  } catch {
    // With --frozen-intrinsics.
  }
  return () => {
    isOn = false
    // Another replacement that was applied later has to stay in place.
    if (emitters.init === replacement) emitters.init = init
  }
}

/**
 * Calls `found` with each client that the application publishes on the diagnostics channel `upkeep.client`, such as one
 * that is not an emitter. Returns a function that ends it.
 */
export function watchPublished(found: (candidate: object) => void): () => void {
  const onPublished = (client: unknown): void => {
    if ((typeof client === 'object' && client !== null) || typeof client === 'function') found(client)
  }
  subscribe('upkeep.client', onPublished)
  return () => void unsubscribe('upkeep.client', onPublished)
}

function mayBeClient(candidate: object): boolean {
  return methodsOfClients.some((name) => typeof Reflect.get(candidate, name) === 'function')
}

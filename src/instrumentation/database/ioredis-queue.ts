import type { Tracing } from '../../tracing/tracing.ts'
import { loadedMembers } from '../official.ts'
import { subscribeOnce } from '../shared-subscription.ts'

/** Sends a command: called again for a queued command once the connection is ready. */
type SendCommand = (this: Sender, command: object, ...rest: readonly unknown[]) => unknown

interface Sender {
  readonly status?: string
}

interface Sending {
  sendCommand: SendCommand
}

/**
 * Runs ioredis commands that wait for a connection in the context of their caller instead of the connection's: the
 * channel is published only when they are sent. Patches `sendCommand`, since nothing is published when a command is
 * queued.
 */
export function keepQueuedContext(tracing: Tracing): () => void {
  const name = 'ioredis:connect'
  return subscribeOnce(`tracing:${name}:start`, tracing, () => {
    const hooks = new Map<Sending, () => void>()
    const hookLoaded = (): void => {
      for (const redis of loadedMembers('ioredis/built/index.js', ['prototype'])) {
        if (isSending(redis) && !hooks.has(redis)) hooks.set(redis, hook(redis, tracing))
      }
    }
    // The library may be loaded already, or later, but before its first connection.
    hookLoaded()
    const { start } = process.getBuiltinModule('node:diagnostics_channel').tracingChannel(name)
    start.subscribe(hookLoaded)
    return () => {
      start.unsubscribe(hookLoaded)
      for (const unhook of hooks.values()) unhook()
    }
  })
}

function hook(redis: Sending, tracing: Tracing): () => void {
  const original = redis.sendCommand
  const callers = new WeakMap<object, ReturnType<Tracing['activeSpan']> | 'none'>()
  let isOver = false
  const hooked: SendCommand = function sendCommand(command, ...rest) {
    const send = () => original.call(this, command, ...rest)
    if (isOver) return send()
    const caller = callers.get(command)
    if (caller === undefined) {
      if (this.status !== 'ready') callers.set(command, tracing.activeSpan() ?? 'none')
      return send()
    }
    return caller === 'none' ? tracing.storage.run(undefined, send) : tracing.run(caller, send)
  }
  redis.sendCommand = hooked
  return () => {
    isOver = true
    // If another patch was applied later, this one has to stay in place.
    if (redis.sendCommand === hooked) redis.sendCommand = original
  }
}

function isSending(value: unknown): value is Sending {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'sendCommand') === 'function'
}

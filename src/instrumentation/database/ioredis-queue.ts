import type { Tracing } from '../../tracing/tracing.ts'
import { loadedMembers } from '../official.ts'
import { replaceMethod } from '../replaced-method.ts'
import { subscribeOnce } from './channel-spans.ts'

interface Sending {
  /** Sends a command: called again for a queued command once the connection is ready. */
  sendCommand: unknown
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
  const callers = new WeakMap<object, ReturnType<Tracing['activeSpan']> | 'none'>()
  return replaceMethod(redis, 'sendCommand', (sendCommand, self, args) => {
    const send = () => sendCommand.apply(self, args)
    const [command] = args as [object]
    const caller = callers.get(command)
    if (caller === undefined) {
      const { status } = self as { readonly status?: string }
      if (status !== 'ready') callers.set(command, tracing.activeSpan() ?? 'none')
      return send()
    }
    return caller === 'none' ? tracing.storage.run(undefined, send) : tracing.run(caller, send)
  })
}

function isSending(value: unknown): value is Sending {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'sendCommand') === 'function'
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, isHttpError } from 'upkeep'
import type { Logger } from 'upkeep/logging'
import type { Query } from '../database/database.ts'
import { limitRepeats } from '../limit-repeats.ts'
import { deliveryOf } from '../messages/delivery.ts'
import { createMessageStore } from '../messages/messages.ts'
import { type BodyLimits, createMessageReader } from '../messages/read-message.ts'
import { requireSignature } from '../messages/signature.ts'
import { type HookMeters, outcomeOf } from './hook-meters.ts'
import type { Hook } from './hooks.ts'
import type { KnownHooks } from './known-hooks.ts'
import { createRateLimit } from './rate-limit.ts'

export interface ReceivingOptions extends BodyLimits {
  /** The maximum number of messages per hook and minute, on each instance; 0 means no limit. */
  readonly messagesPerMinute: number
  /** The maximum difference between the clock of a signing sender and that of the receiver. */
  readonly signatureToleranceSeconds: number
}

/** Receives the message that is posted to the hook of a key. */
export type Receive = (key: string, request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Creates the function that receives messages. A message is stored when the promise resolves.
 *
 * @throws HttpError with the reason why a message is refused.
 */
export function createReceiving(
  query: Query,
  hooks: KnownHooks,
  meters: HookMeters,
  log: Logger,
  options: ReceivingOptions,
): Receive {
  const limit = createRateLimit(options.messagesPerMinute)
  const read = createMessageReader(options)
  const store = createMessageStore(query)

  const receive = async (hook: Hook, request: IncomingMessage, response: ServerResponse) => {
    if (!hook.enabled) throw new HttpError(403, 'This hook is disabled.')
    await limit(hook)
    const bytes = await read.bytes(request, response)
    if (hook.signingSecret !== undefined) {
      const toleranceSeconds = options.signatureToleranceSeconds
      requireSignature(hook.signingSecret, request.headers, bytes, { toleranceSeconds })
    }
    const message = await read.message(request, bytes)
    const delivery = deliveryOf(request.headers, bytes, { isSigned: hook.signingSecret !== undefined })
    // Node does not emit "close" for a response that waits behind another one on its connection, but for the socket it
    // does.
    const isAbandoned = () => request.socket.destroyed
    const outcome = await meters.storing(() => store(hook, message, delivery, isAbandoned))
    if (outcome === 'stored') meters.size(bytes.length)
    return outcome
  }

  const messageLog = log.child({ logger: 'webhook-receiver.messages' })
  const omittedBefore = limitRepeats()
  /** Refusals of messages to a known hook concern its operator; others are logged at DEBUG only. */
  const logRefusal = (hook: Hook | undefined, error: unknown) => {
    if (!isHttpError(error) || error.status >= 500) return
    const refusal = { hook: hook?.id, status: error.status, reason: error.message }
    if (hook === undefined) {
      messageLog.debug('refused a message', refusal)
      return
    }
    const omitted = omittedBefore(hook.id)
    if (omitted !== undefined) messageLog.info('refused a message', { ...refusal, ...(omitted > 0 && { omitted }) })
  }

  return async (key, request, response) => {
    let hook: Hook | undefined
    try {
      hook = await hooks.find(key)
      if (hook === undefined) throw new HttpError(404, 'There is no hook with this key.')
      const outcome = await receive(hook, request, response)
      meters.count(hook, outcome)
      if (messageLog.isEnabled('DEBUG')) messageLog.debug(`${outcome} a message`, { hook: hook.id })
    } catch (error) {
      meters.count(hook, outcomeOf(error))
      logRefusal(hook, error)
      throw error
    }
  }
}

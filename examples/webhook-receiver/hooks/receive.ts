import type { Request, Response } from 'express'
import { HttpError, isHttpError, type Logger } from 'upkeep'
import type { Query } from '../database/database.ts'
import { deliveryOf } from '../messages/delivery.ts'
import { createMessageStore } from '../messages/messages.ts'
import { type BodyLimits, createMessageReader } from '../messages/read-message.ts'
import { requireSignature } from '../messages/signature.ts'
import { type HookMeters, outcomeOf } from './hook-meters.ts'
import type { Hook } from './hooks.ts'
import type { KnownHooks } from './known-hooks.ts'
import { createRateLimit } from './rate-limit.ts'

export interface ReceivingOptions extends BodyLimits {
  /** Messages that a hook takes in a minute, on each instance; 0 is no limit. */
  readonly messagesPerMinute: number
  /** How far the clock of a sender that signs may be from ours. */
  readonly signatureToleranceSeconds: number
}

/**
 * Receives messages: whoever's promise resolves will find theirs in the database.
 *
 * @throws HttpError that says why a message is refused.
 */
export function createReceiving(
  query: Query,
  hooks: KnownHooks,
  meters: HookMeters,
  log: Logger,
  options: ReceivingOptions,
): (key: string, request: Request, response: Response) => Promise<void> {
  const limit = createRateLimit(options.messagesPerMinute)
  const read = createMessageReader(options)
  const store = createMessageStore(query)

  const receive = async (hook: Hook, request: Request, response: Response) => {
    if (!hook.enabled) throw new HttpError(403, 'This hook is disabled.')
    await limit(hook)
    const bytes = await read.bytes(request, response)
    if (hook.signingSecret !== undefined) {
      const toleranceSeconds = options.signatureToleranceSeconds
      requireSignature(hook.signingSecret, request.headers, bytes, { toleranceSeconds })
    }
    const message = await read.message(request, bytes)
    const delivery = deliveryOf(request.headers, bytes)
    const outcome = await meters.storing(() => store(hook, message, delivery))
    if (outcome === 'stored') meters.size(bytes.length)
    return outcome
  }

  const told = log.child({ logger: 'webhook-receiver.messages' })
  /** What is wrong with messages is the business of whoever operates their hook; strangers' are nobody's. */
  const tellRefusal = (hook: Hook | undefined, error: unknown) => {
    if (!isHttpError(error) || error.status >= 500) return
    const tell = hook === undefined ? told.debug : told.info
    tell('refused a message', { hook: hook?.id, status: error.status, reason: error.message })
  }

  return async (key, request, response) => {
    let hook: Hook | undefined
    try {
      hook = await hooks.find(key)
      if (hook === undefined) throw new HttpError(404, 'There is no hook with this key.')
      const outcome = await receive(hook, request, response)
      meters.count(hook, outcome)
      if (told.isEnabled('DEBUG')) told.debug(`${outcome} a message`, { hook: hook.id })
    } catch (error) {
      meters.count(hook, outcomeOf(error))
      tellRefusal(hook, error)
      throw error
    }
  }
}

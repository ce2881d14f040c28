import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Management, Report } from 'upkeep'
import { handleErrors, observe } from 'upkeep/node'
import type { Receive } from './receive.ts'
import { redactTarget } from './redact-keys.ts'

const path = /^\/hooks\/([a-z2-8]{26})(?:\?|$)/

export interface WebhookOptions {
  readonly management: Management
  /** Sets the header fields that identify a response. */
  readonly identify: (request: IncomingMessage, response: ServerResponse) => void
  readonly report: Report
}

/**
 * Handles messages in their most common form before routing, because they are most of the load. Returns whether it
 * does.
 */
export function createWebhook(
  receive: Receive,
  { management, identify, report }: WebhookOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const observed = observe(management, { route: () => '/hooks/:key' })
  const answer = handleErrors(
    async (request, response) => {
      try {
        await observed(request, response, () => acknowledge(receive, keyOf(request) ?? '', request, response))
      } catch (error) {
        redactTarget(request)
        throw error
      }
    },
    { report },
  )
  return (request, response) => {
    if (request.method !== 'POST' || keyOf(request) === undefined) return false
    identify(request, response)
    answer(request, response)
    return true
  }
}

function keyOf({ url = '' }: IncomingMessage): string | undefined {
  return path.exec(url)?.[1]
}

/** Stores a message, and then responds with `ok`. */
export async function acknowledge(
  receive: Receive,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await receive(key, request, response)
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 2 }).end('ok')
}

import type { HandlerResult } from '../../http/resource.ts'
import type { Action } from './action.ts'
import { contentLocation, isShaped, unvalidated } from './content-location.ts'
import { isReply, type Reply } from './reply.ts'
import { presentFields, represent, type Showing, type Telling } from './represent.ts'
import type { Site } from './site.ts'

/** What an action may answer: a value, a reply that says more, or nothing. */
export type Answer<Value> = Value | Reply<Value> | undefined

/** Nothing may also be what a function without a result answers. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only does something answers nothing
export type Done<Value> = Answer<Value> | void

/** The status of a value without one of its own, and what goes with it. */
export type Usual = Telling & { readonly mayBeAccepted?: boolean }

/**
 * What an action answered, as an answer.
 *
 * @throws TypeError for 202 from what is no controller.
 */
export async function answerReply<Path extends string, Value>(
  answer: Done<Value>,
  showing: Showing<Path, Value>,
  { mayBeAccepted = false, ...usual }: Usual,
  action: Action<Path>,
  site: Site,
): Promise<HandlerResult> {
  if (!isReply(answer)) {
    if (answer !== undefined) return represent({ one: answer as Value }, showing, usual, action, site)
    return usual.status === undefined
      ? undefined
      : { status: usual.status, headers: presentFields(usual.headers ?? {}) }
  }
  const { status, value, location, headers } = answer as Reply<Value>
  if (status === 202 && !mayBeAccepted) throw new TypeError('Only a controller answers that something was accepted')
  const address = location === undefined ? undefined : action.addressOf(location)
  const fields = { ...usual.headers, ...headers, ...(address !== undefined && { Location: address }) }
  if (value === undefined) return { status, headers: presentFields(fields) }
  // The content is that of what was created, and not of what it was sent to (RFC 9110 §8.7).
  const isNew = status === 201 && address !== undefined
  const at = isNew ? { 'Content-Location': contentLocation(address, action.query) } : {}
  const shown = isNew && isShaped(action.query) ? { ...showing, ...unvalidated } : showing
  return represent({ one: value }, shown, { status, headers: { ...at, ...fields } }, action, site)
}

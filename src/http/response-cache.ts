import { headerText } from './conventions/header-text.ts'
import { isConditional } from './conventions/preconditions.ts'
import { hasQuery } from './conventions/target.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import type { Representation } from './representation.ts'

/** What clients may send is without end; what they do send is not. */
const most = 16

/** The answer that a representation got before, to a request that asks for nothing else. */
export function keptAnswer({ kept }: Representation, request: ManagementRequest): ManagementResponse | undefined {
  if (kept === undefined || !isPlain(request)) return undefined
  const answer = kept.get(headerText(request.headers, 'accept'))
  return answer === undefined || request.method === 'GET' ? answer : { ...answer, body: null }
}

/** Keeps an answer for those who ask for the same representation in the same way. */
export function keepAnswer(
  { kept, caching }: Representation,
  request: ManagementRequest,
  answer: ManagementResponse,
): ManagementResponse {
  // What may be used for a while says until when, and that moves on.
  if (kept !== undefined && kept.size < most && typeof caching === 'string' && isPlain(request)) {
    if (request.method === 'GET' && typeof answer.body === 'string') {
      kept.set(headerText(request.headers, 'accept'), answer)
    }
  }
  return answer
}

function isPlain({ target, headers }: ManagementRequest): boolean {
  return !hasQuery(target) && !isConditional(headers)
}

import type { Clock } from '../clock.ts'
import { HttpError } from '../errors/http-error.ts'
import { publicError } from '../errors/public-error.ts'
import { redactPath } from '../paths/redact-path.ts'
import type { Report } from '../report.ts'
import { after, type Soon } from '../soon.ts'
import { answerBare, answerContent, answerNothing, answerNotModified, answerOptions } from './answer.ts'
import { answerError } from './answer-error.ts'
import { type Authorize, accessOf, demandPrincipal, type Principal } from './authorize.ts'
import { preferredCoding } from './conventions/content-coding.ts'
import { parseFieldSelection } from './conventions/field-selection.ts'
import { operationOf } from './conventions/methods.ts'
import { acceptOf } from './conventions/negotiate.ts'
import { segmentsOf } from './conventions/target.ts'
import { keepAnswer, keptAnswer } from './kept-answers.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import {
  type BareAnswer,
  chooseOffer,
  isBare,
  isStream,
  notAcceptable,
  type Representation,
  tagContent,
} from './representation.ts'
import type { Call, Handling, Resource } from './resource.ts'
import { ResourceCall } from './resource-call.ts'
import type { RouteMatch, Router } from './router.ts'
import { watched } from './streamed-content.ts'
import { demandPreconditions, isCopyFresh } from './validate.ts'

/** What every exchange of one management needs. */
export interface Exchange {
  readonly router: Router
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  readonly report: Report
}

/**
 * Answers one request for `path`, the part of its target below the base path: at once where nothing has to be waited for.
 * It never throws or rejects: whatever is thrown on the way becomes an error document.
 */
export function exchange(request: ManagementRequest, path: string, parts: Exchange): Soon<ManagementResponse> {
  try {
    const answer = answerRequest(request, path, parts)
    return answer instanceof Promise ? answer.catch((error) => refuse(error, request, path, parts)) : answer
  } catch (error) {
    return refuse(error, request, path, parts)
  }
}

function answerRequest(request: ManagementRequest, path: string, parts: Exchange): Soon<ManagementResponse> {
  const { resource, variables } = route(parts.router, path)
  const operation = operationOf(resource, request.method)
  if (operation.kind === 'options') return answerOptions(resource)
  return after(admit(request, resource, parts.authorize), (principal) => {
    const call = new ResourceCall(request, variables, principal, parts)
    return operation.kind === 'read'
      ? after(operation.perform(call), (representation) => answerRead(resource, call, representation, path, parts))
      : act(operation.perform, resource, call, parts.clock)
  })
}

function refuse(error: unknown, request: ManagementRequest, path: string, parts: Exchange): ManagementResponse {
  if (publicError(error).status >= 500) tellFailure(error, request, path, parts)
  return answerError(error, request)
}

function tellFailure(error: unknown, { method }: ManagementRequest, path: string, { report, router }: Exchange): void {
  const match = router(segmentsOf(path) ?? [])
  report(`${method} ${redactPath(path, match && `/${match.path}`)} failed`, error)
}

function route(router: Router, path: string): RouteMatch {
  const literal = router.literals.get(path)
  if (literal !== undefined) return literal
  const segments = segmentsOf(path)
  if (segments === undefined) throw new HttpError(400, 'The path is not percent-encoded UTF-8.')
  const match = router(segments)
  if (match === undefined) throw new HttpError(404, 'There is no resource at this address.')
  return match
}

/** Who is calling, where the resource is not there for everybody. */
function admit(
  request: ManagementRequest,
  resource: Resource,
  authorize: Authorize | undefined,
): Soon<Principal | undefined> {
  const access = accessOf(resource.access, request.method)
  return access === 'public' ? undefined : demandPrincipal(request, authorize, access)
}

function answerRead(
  resource: Resource,
  call: Call,
  representation: Representation | BareAnswer | undefined,
  path: string,
  parts: Exchange,
): ManagementResponse {
  const { request } = call
  if (representation === undefined) throw new HttpError(404, 'There is nothing at this address.')
  if (isBare(representation)) return answerBare(representation)
  const kept = keptAnswer(representation, request)
  if (kept !== undefined) return kept
  const offer = chooseOffer(representation, acceptOf(request.headers, call.query))
  if (offer === undefined) throw notAcceptable(representation)
  const rendering = offer.render(parseFieldSelection(call.query))
  const failed = (error: unknown) => tellFailure(error, request, path, parts)
  const content = isStream(rendering) ? watched(rendering, failed) : rendering
  const entityTag = tagContent(representation, offer, content)
  const coding = isStream(content) ? preferredCoding(request.headers) : 'identity'
  const rendered = { representation, isPrivate: isPrivate(resource, request.method), offer, content, entityTag, coding }
  const now = parts.clock.wallTime()
  if (isCopyFresh(call, representation, entityTag)) return answerNotModified(rendered, now)
  return keepAnswer(representation, request, answerContent(request.method, rendered, now))
}

async function act(perform: Handling, resource: Resource, call: Call, clock: Clock): Promise<ManagementResponse> {
  const { request, query } = call
  const selection = parseFieldSelection(query)
  await demandPreconditions(resource, call)
  const representation = await perform(call)
  if (representation === undefined) return answerNothing()
  if (isBare(representation)) return answerBare(representation)
  // What is done is done: a client that accepts no form of the answer gets the preferred one (RFC 9110 §12.4.1).
  const offer = chooseOffer(representation, acceptOf(request.headers, query)) ?? representation.offers[0]
  const content = offer.render(selection)
  const entityTag = tagContent(representation, offer, content)
  return answerContent(
    request.method,
    { representation, isPrivate: isPrivate(resource, request.method), offer, content, entityTag, coding: 'identity' },
    clock.wallTime(),
  )
}

function isPrivate({ access }: Resource, method: string): boolean {
  return accessOf(access, method) !== 'public'
}

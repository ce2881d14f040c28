import type { Clock } from '../clock.ts'
import { HttpError } from '../errors/http-error.ts'
import { publicError } from '../errors/public-error.ts'
import type { Report } from '../report.ts'
import { answerContent, answerNothing, answerNotModified, answerOptions } from './answer.ts'
import { answerError } from './answer-error.ts'
import { type Authorize, demandPrincipal, identify } from './authorize.ts'
import { preferredCoding } from './conventions/content-coding.ts'
import { parseFieldSelection } from './conventions/field-selection.ts'
import { operationOf } from './conventions/methods.ts'
import { acceptOf } from './conventions/negotiate.ts'
import { queryOf, segmentsOf } from './conventions/target.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import { chooseOffer, isStream, notAcceptable, tagContent } from './representation.ts'
import type { Call, Handling, Resource } from './resource.ts'
import type { RouteMatch, Router } from './router.ts'
import { demandPreconditions, isCopyFresh } from './validate.ts'

/** What every exchange of one management needs. */
export interface Exchange {
  readonly router: Router
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  readonly report: Report
}

/**
 * Answers one request for `path`, the part of its target below the base path. It never rejects: whatever is thrown on
 * the way becomes an error document.
 */
export async function exchange(
  request: ManagementRequest,
  path: string,
  { router, authorize, clock, report }: Exchange,
): Promise<ManagementResponse> {
  const failed = (error: unknown) => report(`${request.method} ${path} failed`, error)
  try {
    const { resource, variables } = route(router, path)
    const operation = operationOf(resource, request.method)
    if (operation.kind === 'options') return answerOptions(resource)
    const { access = 'public', changes = access } = resource
    const admitted = operation.kind === 'read' ? access : changes
    const principal = admitted === 'authorized' ? await demandPrincipal(request, authorize) : undefined
    const call: Call = {
      request,
      variables,
      query: queryOf(request.target),
      identify: async () => principal ?? identify(request, authorize, report),
    }
    return operation.kind === 'read'
      ? await read(operation.perform, call, clock, failed)
      : await act(operation.perform, resource, call, clock)
  } catch (error) {
    if (publicError(error).status >= 500) failed(error)
    return answerError(error, request)
  }
}

function route(router: Router, path: string): RouteMatch {
  const segments = segmentsOf(path)
  if (segments === undefined) throw new HttpError(400, 'The path is not percent-encoded UTF-8.')
  const match = router(segments)
  if (match === undefined) throw new HttpError(404, 'There is no resource at this address.')
  return match
}

async function read(
  perform: Handling,
  call: Call,
  clock: Clock,
  failed: (error: unknown) => void,
): Promise<ManagementResponse> {
  const { request, query } = call
  const representation = await perform(call)
  if (representation === undefined) throw new HttpError(404, 'There is nothing at this address.')
  const offer = chooseOffer(representation, acceptOf(request.headers, query))
  if (offer === undefined) throw notAcceptable(representation)
  const rendering = offer.render(parseFieldSelection(query))
  const content = isStream(rendering) ? watched(rendering, failed) : rendering
  const entityTag = tagContent(representation, offer, content)
  const coding = isStream(content) ? preferredCoding(request.headers) : 'identity'
  const rendered = { representation, offer, content, entityTag, coding }
  return isCopyFresh(call, representation, entityTag)
    ? answerNotModified(rendered, clock.wallTime())
    : answerContent(request.method, rendered, clock.wallTime())
}

async function act(perform: Handling, resource: Resource, call: Call, clock: Clock): Promise<ManagementResponse> {
  const { request, query } = call
  const selection = parseFieldSelection(query)
  await demandPreconditions(resource, call)
  const representation = await perform(call)
  if (representation === undefined) return answerNothing()
  // What is done is done: a client that accepts no form of the answer gets the preferred one (RFC 9110 §12.4.1).
  const offer = chooseOffer(representation, acceptOf(request.headers, query)) ?? representation.offers[0]
  const content = offer.render(selection)
  const entityTag = tagContent(representation, offer, content)
  return answerContent(
    request.method,
    { representation, offer, content, entityTag, coding: 'identity' },
    clock.wallTime(),
  )
}

/** What streams fails when the answer is on its way: nobody is left to catch that but who puts it on the wire. */
async function* watched(
  content: AsyncIterable<Uint8Array>,
  failed: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    failed(error)
    throw error
  }
}

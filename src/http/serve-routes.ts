import type { Clock } from '../base/clock.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { contain, type Report } from '../base/report.ts'
import type { Authorize } from './authorize.ts'
import { pathBelow, pathOf, rootBelow, segmentsOf } from './conventions/target.ts'
import { exchange } from './exchange.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import { createRouter, type Route } from './router.ts'

/**
 * Answers a request, or says by `undefined` that it is not for it and has to be passed on. The answer is there at once
 * where nothing has to be waited for; it never rejects.
 */
export interface RequestHandler {
  (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined
  /** The template of the address that a request went to, such as `/orders/{order}`, for what observes requests. */
  readonly templateOf?: ((request: ManagementRequest) => string | undefined) | undefined
}

export interface ServeRoutesOptions {
  /** Where the routes are: a path without a trailing slash, or `/`. */
  readonly basePath: string
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  /** Told of what fails. */
  readonly report: Report
  /** Whether changes that a page of another origin asks for are refused with 403. @default false */
  readonly refuseCrossSite?: boolean | undefined
}

/** Serves routes below a base path. */
export function serveRoutes(
  routes: readonly Route[],
  { basePath, authorize, clock, report, refuseCrossSite = false }: ServeRoutesOptions,
): RequestHandler {
  const router = createRouter(routes)
  const surroundings = { router, authorize, clock, report: contain(report), refuseCrossSite }
  const root = basePath === '/' ? '' : basePath
  const templates = new Map(routes.map(({ path, resource }) => [resource, `/${path}`]))

  /** What is asked for all day, as probes ask, is found by its whole target. */
  const paths = new Map([...router.literals.keys()].map((path) => [root + path, path]))

  const pathIn = ({ target, mountPath = '' }: ManagementRequest): string | undefined => {
    if (root !== '' && rootBelow(mountPath, root) === '') {
      // Frameworks make a slash of the nothing that is left of the path that something is mounted at.
      const path = pathOf(target)
      return path === '/' ? '' : path
    }
    return paths.get(target) ?? pathBelow(basePath, pathOf(target))
  }

  const answer = (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined => {
    const path = pathIn(request)
    if (path === undefined) return undefined
    // At the root the rest of the application is a neighbour: what no route answers is not ours to refuse.
    if (basePath === '/' && router(segmentsOf(path) ?? []) === undefined) return undefined
    return exchange(request, path, surroundings)
  }
  const templateOf = (request: ManagementRequest) => {
    const path = pathIn(request)
    const match = path === undefined ? undefined : router(segmentsOf(path) ?? [])
    const template = match && templates.get(match.resource)
    return template && rootBelow(request.mountPath ?? '', basePath) + template
  }
  return Object.assign(answer, { templateOf })
}

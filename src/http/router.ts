import { segmentsOf } from './conventions/target.ts'
import { HttpError } from './errors/http-error.ts'
import type { Resource } from './resource.ts'

/**
 * A resource and its path below the base path: segments, `{name}` for one variable segment, and, as the last one,
 * `{*name}` for one or more. Of several routes that match, the first one is used.
 */
export interface Route {
  readonly path: string
  readonly resource: Resource
}

/** A route that may be elsewhere than its resource expects. A path with a leading slash begins at the server's root. */
export interface PlacedRoute extends Route {
  /** The variables of the call, if the path has none in their place. @default those of the path */
  readonly variables?: readonly string[] | undefined
}

interface RouteMatch {
  /** The path of the route. */
  readonly path: string
  readonly resource: Resource
  readonly variables: readonly string[]
}

/** Returns the route of decoded path segments, or `undefined` if no route matches. */
export interface Router {
  (segments: readonly string[]): RouteMatch | undefined
  /** The routes without variables by their path, so that they are found without splitting it. */
  readonly literals: ReadonlyMap<string, RouteMatch>
}

export function createRouter(routes: readonly PlacedRoute[]): Router {
  const patterns = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }))
  const find = (segments: readonly string[]): RouteMatch | undefined => {
    if (segments.some((segment) => !isAddressable(segment))) return undefined
    for (const { path, pattern, resource, variables: fixed } of patterns) {
      const variables = matchSegments(pattern, segments)
      if (variables !== undefined) return { path, resource, variables: fixed ?? variables }
    }
    return undefined
  }
  const literals = patterns.flatMap(({ path, pattern, resource }) => {
    const match = pattern.some((segment) => /[{%]/.test(segment)) ? undefined : find(pattern)
    return match?.resource === resource && match.path === path ? [[['', ...pattern].join('/'), match] as const] : []
  })
  return Object.assign(find, { literals: new Map(literals) })
}

/** Returns the segments of the path of a route. */
export function patternOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('/')
}

/**
 * Returns the route of a path.
 *
 * @throws HttpError 400 for a path with invalid encoding, 404 for one without a resource.
 */
export function findRoute(router: Router, path: string): RouteMatch {
  const literal = router.literals.get(path)
  if (literal !== undefined) return literal
  const segments = segmentsOf(path)
  if (segments === undefined) throw new HttpError(400, 'The path is not percent-encoded UTF-8.')
  const match = router(segments)
  if (match === undefined) throw new HttpError(404, 'Resource not found.')
  return match
}

/**
 * Whether a segment can be part of a path: not empty, no dot segment, without an encoded slash or control character.
 */
export function isAddressable(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(segment)
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): readonly string[] | undefined {
  const rest = pattern.at(-1)?.startsWith('{*') === true
  if (rest ? segments.length < pattern.length : segments.length !== pattern.length) return undefined
  const variables: string[] = []
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] ?? ''
    if (expected.startsWith('{*')) return [...variables, ...segments.slice(at)]
    if (expected.startsWith('{')) variables.push(segment)
    else if (expected !== segment) return undefined
  }
  return variables
}

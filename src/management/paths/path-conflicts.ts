import { invalidOption } from '../../base/errors.ts'
import { patternOf } from '../../http/router.ts'
import type { EndpointPaths, EndpointRoute, PathExists, PlacedEndpoint } from './place-endpoints.ts'

interface Place {
  readonly id: string
  readonly route: EndpointRoute
  /** The segments from the root of the server. */
  readonly pattern: readonly string[]
}

/**
 * Checks that no request has two routes of which the option `paths` has placed one. A path below `health` that is no
 * component and no group is free.
 *
 * @throws TypeError naming the option and the other path.
 */
export function requireDistinctPaths(
  endpoints: readonly PlacedEndpoint[],
  { root, paths, exists }: { readonly root: string; readonly paths: EndpointPaths; readonly exists: PathExists },
): void {
  const places = endpoints.flatMap(({ id, routes }) =>
    routes.map((route): Place => ({ id, route, pattern: patternOf(wholePath(root, route.path).slice(1)) })),
  )
  // Single paths come first, so that an error names one of them before an endpoint.
  const placed = [...places.filter(isAlias), ...places.filter(isMoved)]
  for (const place of placed) {
    const taken = places.find((other) => isTaken(place, other, exists))
    if (taken === undefined) continue
    const name = place.route.alias ?? place.id
    const owner = taken.id === '*' ? 'the page of links' : `"${taken.route.alias ?? taken.id}"`
    throw invalidOption(
      `createManagement: paths.${name}: expected a path of its own, received "${paths[name]}", ` +
        `where requests for ${owner} are served: ${wholePath(root, taken.route.path)}`,
    )
  }
}

/** Returns the path of a route from the root of the server. */
export function wholePath(root: string, path: string): string {
  return path.startsWith('/') ? path : path === '' ? root || '/' : `${root}/${path}`
}

function isAlias({ route }: Place): boolean {
  return route.alias !== undefined
}

function isMoved({ route: { alias, path, template } }: Place): boolean {
  return alias === undefined && path !== template
}

function isTaken(place: Place, other: Place, exists: PathExists): boolean {
  if (other === place || (place.id === other.id && !isAlias(place) && !isAlias(other))) return false
  return overlaps(place.pattern, other.pattern) && !isFree(place, other, exists) && !isFree(other, place, exists)
}

/** Whether a path matches both patterns. */
function overlaps(a: readonly string[], b: readonly string[]): boolean {
  const [first, ...rest] = a
  const [other, ...others] = b
  if (first === undefined || other === undefined) return first === other
  if (first.startsWith('{*') || other.startsWith('{*')) return true
  const isSame = first === other || first.startsWith('{') || other.startsWith('{')
  return isSame && overlaps(rest, others)
}

/** Whether a single path takes the place of nothing below another one. Which values the variables of other endpoints have is unknown. */
function isFree(placed: Place, taken: Place, exists: PathExists): boolean {
  const isBelowHealth = taken.id === 'health' && taken.route.path.includes('{*')
  if (!isAlias(placed) || !isBelowHealth) return false
  return !exists('health', placed.pattern.slice(taken.pattern.length - 1))
}

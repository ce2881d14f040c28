import type { Resource } from './resource.ts'

/**
 * A resource and where it is: segments below the base path, `{name}` for one variable segment, `{*name}` last for one
 * or more. The first route of a list that matches is taken.
 */
export interface Route {
  readonly path: string
  readonly resource: Resource
}

export interface RouteMatch {
  /** The path of the route. */
  readonly path: string
  readonly resource: Resource
  readonly variables: readonly string[]
}

/** Finds the resource at decoded path segments, or `undefined` when there is none. */
export interface Router {
  (segments: readonly string[]): RouteMatch | undefined
  /** What there is at paths without a variable, by the path as it comes: found without a look at its segments. */
  readonly literals: ReadonlyMap<string, RouteMatch>
}

export function createRouter(routes: readonly Route[]): Router {
  const patterns = routes.map(({ path, resource }) => ({ path, pattern: path === '' ? [] : path.split('/'), resource }))
  const find = (segments: readonly string[]): RouteMatch | undefined => {
    if (segments.some((segment) => !isAddressable(segment))) return undefined
    for (const { path, pattern, resource } of patterns) {
      const variables = matchSegments(pattern, segments)
      if (variables !== undefined) return { path, resource, variables }
    }
    return undefined
  }
  const literals = patterns.flatMap(({ pattern, resource }) => {
    const match = pattern.some((segment) => /[{%]/.test(segment)) ? undefined : find(pattern)
    return match?.resource === resource ? [[['', ...pattern].join('/'), match] as const] : []
  })
  return Object.assign(find, { literals: new Map(literals) })
}

/** An empty segment, a dot segment, and one that hides a slash or a control character address nothing. */
export function isAddressable(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
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

import { originForm, pathOf, segmentsOf } from './conventions/target.ts'
import { createRouter, type PlacedRoute, type Router } from './router.ts'

/** Routes whose paths begin at the root of the server, wherever the base path is. */
export interface AbsoluteRoutes {
  /** Finds routes by the whole path, without its leading slash. */
  readonly router: Router
  /** Returns the whole path of a request for one of the routes, `undefined` for any other request. */
  readonly pathIn: (target: string, mountPath?: string) => string | undefined
  /** Returns the path of the route of a request, such as `/livez` or `/meters/{name}`. */
  readonly templateOf: (target: string) => string | undefined
}

export function createAbsoluteRoutes(routes: readonly PlacedRoute[]): AbsoluteRoutes {
  const router = createRouter(routes.map((route) => ({ ...route, path: route.path.slice(1) })))
  // Requests to the application are compared with the literal beginning of each path only, and nothing is allocated.
  const roots = [...new Set(routes.map(({ path }) => path.split('/{', 1).join()))]
  // The first letter excludes most of them.
  const initials = new Set(roots.map((root) => root.charCodeAt(1)))
  const match = (path: string) => router.literals.get(path) ?? router(segmentsOf(path) ?? [])

  const pathIn = (target: string, mountPath = ''): string | undefined => {
    const own = originForm(target)
    if (mountPath !== '') return pathInMounted(pathOf(own), mountPath)
    if (!initials.has(own.charCodeAt(1)) || !isAtOrBelowAny(own, roots)) return undefined
    const path = pathOf(own)
    return match(path) === undefined ? undefined : path
  }

  const pathInMounted = (path: string, mountPath: string): string | undefined => {
    if (!isBeginningOfAny(mountPath, roots)) return undefined
    // Frameworks replace an empty path below a mount path by a slash.
    const whole = path === '/' ? mountPath : mountPath + path
    return match(whole) === undefined ? undefined : whole
  }

  const templateOf = (target: string): string | undefined => {
    const path = pathIn(target)
    const found = path === undefined ? undefined : match(path)
    return found && `/${found.path}`
  }
  return { router, pathIn, templateOf }
}

function isAtOrBelowAny(target: string, roots: readonly string[]): boolean {
  for (const root of roots) {
    if (!target.startsWith(root)) continue
    const next = target[root.length]
    if (next === undefined || next === '/' || next === '?') return true
  }
  return false
}

function isBeginningOfAny(mountPath: string, roots: readonly string[]): boolean {
  for (const root of roots) if (root.startsWith(mountPath)) return true
  return false
}

import { originForm } from '../../src/entries/adapter.ts'
import { type MountedRequest, mountTemplateOf } from './mount-template.ts'
import { type ExpressApplication, type ExpressRoute, type Layer, layersOf, matchedPath } from './router.ts'
import { joinTemplates, textOfLayer, textOfPattern } from './template-text.ts'

/** The members of a request that identify its route, or its mount. */
export interface RoutedRequest extends MountedRequest {
  readonly originalUrl?: string | undefined
  readonly route?: ExpressRoute | undefined
}

/** Finds the templates of routes in the applications that contain one middleware. */
export interface RouteTemplates {
  /** Registers an application, so that its routes are found. */
  know(app: ExpressApplication | undefined): void
  /**
   * Returns the template of the route of a request, including mount paths, or of the mount in which it ended without a
   * route; `undefined` if it cannot be determined safely.
   */
  templateOf(req: RoutedRequest): string | undefined
  /** Returns the template below which a middleware is mounted: `/` for the root. */
  mountOf(middleware: object, req: RoutedRequest): string | undefined
}

/** One path through the routers to a route or a middleware. */
interface Way {
  /** The mount path of the application in its parents. */
  readonly prefix: string
  /** The layers of the enclosing routers, outermost first, and the layer itself. */
  readonly layers: readonly Layer[]
  /** Computed on first use. */
  template: string | undefined
}

/**
 * Finds the templates of routes. A request contains its route, but the mount path above it only as requested, and after
 * an error not even that. So the route is searched once in the routers, and the patterns on the way to it are joined: a
 * template contains nothing that the client sent.
 */
export function createRouteTemplates(): RouteTemplates {
  const apps = new Set<ExpressApplication>()
  const found = new WeakMap<object, readonly Way[]>()
  /** The number of known applications when an object was not found. */
  const missed = new WeakMap<object, number>()

  const know = (app: ExpressApplication | undefined) => {
    for (let each = app; each !== undefined && !apps.has(each); each = each.parent) apps.add(each)
  }

  const waysTo = (end: object): readonly Way[] => {
    if (missed.get(end) === apps.size) return []
    const ways = [...apps].flatMap((app) => waysFrom(app, end))
    if (ways.length > 0) found.set(end, ways)
    else missed.set(end, apps.size)
    return ways
  }

  // Reads few members of the request: with Express 5 on Node 20 each access is expensive.
  const templateTo = (end: object, req: RoutedRequest): string | undefined => {
    const known = found.get(end)
    if (known?.length === 1 && known[0]?.template !== undefined) return known[0].template
    know(req.app)
    const ways = known ?? waysTo(end)
    const path = originForm(req.originalUrl ?? '').split('?', 1)[0] ?? ''
    const taken = ways.length === 1 ? ways : ways.filter((way) => isTaken(way, path))
    const templates = new Set(taken.map((way) => templateOf(way, path)))
    return templates.size === 1 ? [...templates][0] : undefined
  }

  return {
    know,
    templateOf(req) {
      const { route } = req
      return route === undefined ? mountTemplateOf(req) : templateTo(route, req)
    },
    mountOf: templateTo,
  }
}

function waysFrom(app: ExpressApplication, end: object): readonly Way[] {
  const prefix = prefixOf(app)
  return [...waysThrough(layersOf(app), end, [])].map((layers) => ({ prefix, layers, template: undefined }))
}

/** Yields the ways to a route, or to a function that is used as a middleware. */
function* waysThrough(stack: readonly Layer[], end: object, above: readonly Layer[]): Generator<readonly Layer[]> {
  for (const layer of stack) {
    if (layer.route === end || layer.handle === end) yield [...above, layer]
    // A router that is mounted inside itself would have endless ways.
    else if (layer.route === undefined && !above.some(({ handle }) => handle === layer.handle)) {
      yield* waysThrough(layersOf(layer.handle), end, [...above, layer])
    }
  }
}

function prefixOf({ parent, mountpath }: ExpressApplication): string {
  return parent === undefined ? '' : joinTemplates([prefixOf(parent), textOfPattern(mountpath)])
}

function templateOf(way: Way, path: string): string | undefined {
  way.template ??= joinWay(way, path)
  return way.template
}

function joinWay({ prefix, layers }: Way, path: string): string | undefined {
  const texts = [prefix]
  let rest = path
  for (const layer of layers) {
    const text = layer.route === undefined ? textOfLayer(layer, rest) : textOfPattern(layer.route.path)
    if (text === undefined) return undefined
    texts.push(text)
    rest = behind(layer, rest) ?? ''
  }
  return joinTemplates(texts)
}

/** Whether the layers of a way match a path, one after the other. Assumed for an application mounted in another one. */
function isTaken({ prefix, layers }: Way, path: string): boolean {
  let rest: string | undefined = path
  for (const layer of layers) rest = rest === undefined ? undefined : behind(layer, rest)
  return prefix !== '' || rest !== undefined
}

/** Returns the rest of a path behind a mounted layer; `undefined` if the layer does not match. */
function behind(layer: Layer, path: string): string | undefined {
  const matched = matchedPath(layer, path)
  if (matched === undefined || !path.startsWith(matched)) return undefined
  const rest = path.slice(matched.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

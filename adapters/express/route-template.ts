import { originForm } from '../../src/entries/adapter.ts'
import { type ExpressApplication, type ExpressRoute, type Layer, layersOf, matchedPath } from './router.ts'
import { joinTemplates, textOfLayer, textOfPattern } from './template-text.ts'

/** A request as far as it tells its route. */
export interface RoutedRequest {
  readonly app?: ExpressApplication | undefined
  readonly originalUrl?: string | undefined
  readonly route?: ExpressRoute | undefined
}

/** The templates of the routes of the applications that one middleware stands in. */
export interface RouteTemplates {
  /** Makes an application known, so that its routes are found. */
  know(app: ExpressApplication | undefined): void
  /**
   * The template of the route that a request went to, with all that it is mounted below; `undefined` for no safe one.
   */
  templateOf(req: RoutedRequest): string | undefined
  /** The same of what a middleware is mounted below: `/` where that is nothing. */
  mountOf(middleware: object, req: RoutedRequest): string | undefined
}

/** One way to a route, or to a middleware. */
interface Way {
  /** What the application is mounted below in others. */
  readonly prefix: string
  /** Those that the router is mounted by in which it stands, the outermost first, and its own. */
  readonly layers: readonly Layer[]
  /** Once it is known. */
  template: string | undefined
}

/**
 * A request has its route, but of what that is mounted below it has the path as it was asked for, and after an error
 * not even that. So the route is looked for in the routers, once, and the patterns on the way to it are put together:
 * nothing that a client sent comes into a template.
 */
export function createRouteTemplates(): RouteTemplates {
  const apps = new Set<ExpressApplication>()
  const found = new WeakMap<object, readonly Way[]>()
  /** How many applications were known when it was not found. */
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

  // Reads as little as it can of a request: Express 5 makes every look at one dear on Node 20.
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
      return route === undefined ? undefined : templateTo(route, req)
    },
    mountOf: templateTo,
  }
}

function waysFrom(app: ExpressApplication, end: object): readonly Way[] {
  const prefix = prefixOf(app)
  return [...waysThrough(layersOf(app), end, [])].map((layers) => ({ prefix, layers, template: undefined }))
}

/** The ways to a route, or to what handles a request as a middleware. */
function* waysThrough(stack: readonly Layer[], end: object, above: readonly Layer[]): Generator<readonly Layer[]> {
  for (const layer of stack) {
    if (layer.route === end || layer.handle === end) yield [...above, layer]
    // A router that is mounted inside itself has endless ways.
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

/** Whether the layers of a way match a path, one after the other. Below another application that is not known. */
function isTaken({ prefix, layers }: Way, path: string): boolean {
  let rest: string | undefined = path
  for (const layer of layers) rest = rest === undefined ? undefined : behind(layer, rest)
  return prefix !== '' || rest !== undefined
}

/** What of a path is left to those that a layer mounts; `undefined` when it does not match. */
function behind(layer: Layer, path: string): string | undefined {
  const matched = matchedPath(layer, path)
  if (matched === undefined || !path.startsWith(matched)) return undefined
  const rest = path.slice(matched.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

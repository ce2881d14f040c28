import { mountTemplate, originForm } from '../../src/entries/adapter.ts'
import { type ExpressApplication, type Layer, layersOf, matchedPath } from './router.ts'
import { joinTemplates, textOfLayer, textOfPattern } from './template-text.ts'

/** The members of a request that identify the mount in which it ended. */
export interface MountedRequest {
  readonly app?: ExpressApplication | undefined
  /** The path of the mount, as requested. */
  readonly baseUrl?: string | undefined
  /** The target below the mount. */
  readonly url?: string | undefined
}

/** A router, an application or a middleware with the text of its path; `undefined` if that cannot be determined. */
interface Mount {
  readonly handle: unknown
  readonly text: string | undefined
}

/**
 * Returns the template of the mount in which a request ended without a route; `undefined` for a request that ended in
 * no mount, or if mounts with different templates match. A request contains only the requested path of its mount, so
 * the mount is searched in the routers.
 */
export function mountTemplateOf({ app, baseUrl = '', url = '' }: MountedRequest): string | undefined {
  if (baseUrl === '' || app === undefined) return undefined
  const path = baseUrl + (originForm(url).split('?', 1)[0] ?? '')
  const [root, ...mounted] = withParents(app)
  const templates = new Set<string | undefined>()
  for (const way of waysThrough(layersOf(root), mounted, path, baseUrl, [])) {
    const joined = joinMounts(way)
    const template = joined === undefined ? undefined : mountTemplate(joined)
    // A middleware for all paths is not a mount.
    if (joined === undefined || template !== undefined) templates.add(template)
  }
  return templates.size === 1 ? [...templates][0] : undefined
}

/** Returns an application and those that it is mounted in, outermost first. */
function withParents(app: ExpressApplication): readonly ExpressApplication[] {
  return app.parent === undefined ? [app] : [...withParents(app.parent), app]
}

/**
 * Yields the ways through the routers whose mounts match `base`, the first part of a path. They lead into the last of
 * the mounted applications, in which the request ended.
 */
function* waysThrough(
  stack: readonly Layer[],
  mounted: readonly ExpressApplication[],
  path: string,
  base: string,
  above: readonly Mount[],
): Generator<readonly Mount[]> {
  const [app, ...inner] = mounted
  for (const layer of stack) {
    const matched = layer.route === undefined ? mountIn(layer, path, base) : undefined
    // A router that is mounted inside itself would have endless ways.
    if (matched === undefined || above.some(({ handle }) => handle === layer.handle)) continue
    const [restOfPath, restOfBase] = [path.slice(matched.length), base.slice(matched.length)]
    const text = textOfLayer(layer, path)
    const way = [...above, { handle: layer.handle, text }]
    if (restOfBase === '' && app === undefined) yield way
    else yield* waysThrough(layersOf(layer.handle), mounted, restOfPath, restOfBase, way)
    if (app === undefined || !isMountOf(app, text)) continue
    const wayIntoApp = [...above, { handle: layer.handle, text: textOfPattern(app.mountpath) }]
    if (restOfBase === '' && inner.length === 0) yield wayIntoApp
    else yield* waysThrough(layersOf(app), inner, restOfPath, restOfBase, wayIntoApp)
  }
}

/**
 * Returns the part of a path that a layer removes as its mount, without the trailing slash; `undefined` if that is not
 * a part of `base`.
 */
function mountIn(layer: Layer, path: string, base: string): string | undefined {
  const matched = matchedPath(layer, path)
  if (matched === undefined) return undefined
  const mount = matched.endsWith('/') ? matched.slice(0, -1) : matched
  return base === mount || base.startsWith(`${mount}/`) ? mount : undefined
}

/** A layer does not refer to the application that it contains, which stores its mount path. */
function isMountOf({ mountpath }: ExpressApplication, text: string | undefined): boolean {
  const normalized = (template: string) => joinTemplates([template]).toLowerCase()
  return text === undefined || normalized(text) === normalized(textOfPattern(mountpath))
}

function joinMounts(way: readonly Mount[]): string | undefined {
  const texts = way.map(({ text }) => text)
  return texts.includes(undefined) ? undefined : joinTemplates(texts as string[])
}

import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { Call } from '../../http/resource.ts'

/** Settings that all resources of one service share. */
export interface ResourceSettings {
  /** `/`, or a path without a trailing slash. */
  readonly basePath: string
  /** Path of the relation documents below the base path. */
  readonly relationsPath: string
  /** Path of the schema documents below the base path. */
  readonly schemasPath: string
  /** Declared relations, each with a document. */
  readonly relations: ReadonlySet<string>
  readonly limitBytes: number
  readonly maxDepth: number
}

/**
 * Returns a path below the base path as an absolute path, prefixed with the mount path of the adapter. It has no host,
 * which a proxy may have changed. A path with a leading slash and a URL are returned unchanged.
 *
 * @throws TypeError when the path is not a valid URI reference.
 */
export function addressOf(
  path: string,
  { request }: Pick<Call, 'request'>,
  { basePath }: Pick<ResourceSettings, 'basePath'>,
): string {
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw new TypeError(
      `resource path: expected URI characters, received ${JSON.stringify(path)}; use pathTo(template, variables)`,
    )
  }
  if (/^(\/|[a-z][a-z0-9+.-]*:)/i.test(path)) return path
  const mountPath = mountPathOf(request.base)
  return `${mountPath}${rootBelow(mountPath, basePath)}${path === '' ? '' : `/${path}`}` || '/'
}

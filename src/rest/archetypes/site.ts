import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { Call } from '../../http/resource.ts'

/** What all resources of one service share. */
export interface Site {
  /** `/` or a path without a trailing slash. */
  readonly basePath: string
  /** Where relation documents are, below the base path. */
  readonly relationsPath: string
  /** Where schema documents are, below the base path. */
  readonly schemasPath: string
  /** The relations that are known, and have a document. */
  readonly relations: ReadonlySet<string>
  readonly limitBytes: number
  readonly maxDepth: number
}

/**
 * The address of a path below the base path, from the root of the host on: as the adapter is mounted, and without a host,
 * which a proxy may have changed. What begins with a slash or a scheme is an address already.
 *
 * @throws TypeError for a path that is no URI.
 */
export function addressOf(
  path: string,
  { request }: Pick<Call, 'request'>,
  { basePath }: Pick<Site, 'basePath'>,
): string {
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw new TypeError(`${JSON.stringify(path)} is no URI: fill in what varies by pathTo(template, variables)`)
  }
  if (/^(\/|[a-z][a-z0-9+.-]*:)/i.test(path)) return path
  const mountPath = mountPathOf(request.base)
  return `${mountPath}${rootBelow(mountPath, basePath)}${path === '' ? '' : `/${path}`}` || '/'
}

/** What stands in front of the path of an absolute-form target (RFC 9112 §3.2.2): scheme and authority. */
const absolute = /^https?:\/\/([^/?#]*)/i

/** Returns the path of a request target as it came: never resolved, never decoded. */
export function pathOf(target: string): string {
  const own = originForm(target)
  const mark = own.indexOf('?')
  return mark < 0 ? own : own.slice(0, mark)
}

/** Returns a target without the scheme and the authority that one in absolute form has. */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(absolute, '')
}

/** Returns the authority of a target in absolute form, which takes precedence over `Host` (RFC 9112 §3.2.2). */
export function authorityOf(target: string): string | undefined {
  return target.startsWith('/') ? undefined : absolute.exec(target)?.[1]
}

export function hasQuery(target: string): boolean {
  return target.includes('?')
}

export function queryOf(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
}

/** The path below which an adapter is mounted, out of the `base` of a request: what follows its origin. */
export function mountPathOf(base: string): string {
  return base.replace(/^[a-z]+:\/\/[^/]*/i, '')
}

/**
 * The base path below the mount path of an adapter: empty where that ends with the base path itself, as by
 * `app.use('/management', manage(management))`. So the endpoints are at the path that was named, and it is not doubled.
 */
export function rootBelow(mountPath: string, basePath: string): string {
  return basePath === '/' || mountPath.endsWith(basePath) ? '' : basePath
}

/** Returns what the paths below a base path begin with: nothing below `/`. */
export function rootOf(basePath: string): string {
  return basePath === '/' ? '' : basePath
}

/**
 * What stands in `path` behind `base`, starting with a slash, empty for the base itself, or `undefined` when the path
 * is not below it. The base is compared as it came, so that what a proxy's rule for it does not see is not seen here
 * either: `//x/management` and `/%6danagement` are not below `/management`.
 */
export function pathBelow(base: string, path: string): string | undefined {
  const root = rootOf(base)
  if (!path.startsWith(root)) return undefined
  return path.length === root.length || path[root.length] === '/' ? path.slice(root.length) : undefined
}

/** The decoded segments of a path that is empty or starts with a slash, or `undefined` when its encoding is broken. */
export function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path === '' ? [] : path.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Matches the scheme and authority of an absolute-form target (RFC 9112 §3.2.2). */
const absolute = /^https?:\/\/([^/?#]*)/i

/** Returns the path of a request target as received, neither resolved nor decoded. */
export function pathOf(target: string): string {
  const own = originForm(target)
  const mark = own.indexOf('?')
  return mark < 0 ? own : own.slice(0, mark)
}

/** Returns a target without the scheme and authority of the absolute form. */
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

/** Returns the path below which an adapter is mounted: the part of `base` after its origin. */
export function mountPathOf(base: string): string {
  return base.replace(/^[a-z]+:\/\/[^/]*/i, '')
}

/**
 * Returns the base path relative to the mount path of an adapter: empty if the mount path already ends with it, as in
 * `app.use('/management', manage(management))`. The endpoints are then at the given path, which is not repeated.
 */
export function rootBelow(mountPath: string, basePath: string): string {
  return basePath === '/' || mountPath.endsWith(basePath) ? '' : basePath
}

/** Returns the prefix of the paths below a base path: empty for `/`. */
export function rootOf(basePath: string): string {
  return basePath === '/' ? '' : basePath
}

/**
 * Returns the part of `path` below `base`: starting with a slash, empty for the base itself, or `undefined` if the path
 * is not below it. The base is compared without decoding, as the rules of proxies do: `//x/management` and
 * `/%6danagement` are not below `/management`.
 */
export function pathBelow(base: string, path: string): string | undefined {
  const root = rootOf(base)
  if (!path.startsWith(root)) return undefined
  return path.length === root.length || path[root.length] === '/' ? path.slice(root.length) : undefined
}

/**
 * Returns the decoded segments of a path that is empty or starts with a slash, or `undefined` if its encoding is
 * invalid.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path === '' ? [] : path.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

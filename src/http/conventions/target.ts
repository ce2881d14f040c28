/** The path of a request target as it came: never resolved, never decoded. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}

export function hasQuery(target: string): boolean {
  return target.includes('?')
}

export function queryOf(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
}

/**
 * What stands in `path` behind `base`, starting with a slash, empty for the base itself, or `undefined` when the path
 * is not below it. The base is compared as it came, so that what a proxy's rule for it does not see is not seen here
 * either: `//x/management` and `/%6danagement` are not below `/management`.
 */
export function pathBelow(base: string, path: string): string | undefined {
  const root = base === '/' ? '' : base
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

import { invalidArgument } from '../../base/errors.ts'

/** The values of the variable segments of a path such as `orders/{order}/lines/{line}`, by name. */
export type Variables<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Variables<Segment> & Variables<Rest>
  : Path extends `{${infer Name}}`
    ? { readonly [Key in Name]: string }
    : unknown

/** The parent path: `orders` for `orders/{order}`, the empty path for `orders`. */
export type ParentPath<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Rest extends `${string}/${string}`
    ? `${Segment}/${ParentPath<Rest>}`
    : Segment
  : ''

export function parentPath(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

/** Returns the name of a variable segment, or `undefined` for a literal segment. */
export function variableName(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1]
}

/**
 * Returns a path with its variables replaced by percent-encoded values.
 *
 * @throws TypeError for a missing or empty value: a URL has no empty segments.
 */
export function pathTo<const Path extends string>(template: Path, variables: Variables<Path>): string {
  const values = variables as Readonly<Record<string, string>>
  return template
    .split('/')
    .map((segment) => {
      const name = variableName(segment)
      if (name === undefined) return segment
      const value = values[name]
      if (value === undefined || value === '')
        throw invalidArgument(`pathTo: ${template}: expected a value for ${name}`)
      return encodeURIComponent(value)
    })
    .join('/')
}

/** Members whose keys are data, such as the names of components. */
const maps = new Set([
  ...['components', 'loggers', 'groups', '_links', 'contexts', 'properties', 'headers'],
  ...['dispatcherServlets', 'cacheManagers', 'caches'],
])

/** Members that are data of an indicator; compared for single components. */
const opaque = /^(?:components|details)\.\*\.details$/

/**
 * Returns the keys and types of a JSON document, one line each, such as `components.*.status: string`. The elements of
 * an array have one shape together, and so have the values of a map.
 */
export function shapeOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) {
    return [`${path}: array`, ...new Set(value.flatMap((element) => shapeOf(element, `${path}[]`)))]
  }
  if (typeof value !== 'object' || value === null) return [`${path}: ${value === null ? 'null' : typeof value}`]
  if (opaque.test(path)) return [`${path}: object`]
  // In version 2, `details` of the whole has the components, all of which are objects.
  const isVersion2 = path === 'details' && Object.values(value).every((member) => typeof member === 'object')
  const isMap = isVersion2 || maps.has(path.slice(path.lastIndexOf('.') + 1))
  const members = Object.entries(value).flatMap(([key, member]) => {
    const name = isMap ? '*' : key
    return shapeOf(member, path === '' ? name : `${path}.${name}`)
  })
  return [...new Set(path === '' ? members : [`${path}: object`, ...members])]
}

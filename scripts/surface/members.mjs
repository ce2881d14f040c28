/**
 * Returns a line for each member of a document: its path and its type. Items of arrays are `*`, and so are members of
 * objects whose keys are content.
 *
 * @param {unknown} value
 * @param {readonly string[]} keyed the paths of such objects
 * @returns {readonly string[]}
 */
export function membersOf(value, keyed, path = []) {
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, keyed, [...path, '*']))
  if (typeof value !== 'object' || value === null)
    return [`${path.join('.')} ${value === null ? 'null' : typeof value}`]
  const isKeyed = keyed.includes(path.join('.'))
  return Object.entries(value).flatMap(([key, each]) => membersOf(each, keyed, [...path, isKeyed ? '*' : key]))
}

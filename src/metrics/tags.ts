import type { Tag } from './snapshot.ts'

/** Numbers and booleans are the same tag as their text: `200` and `'200'` meet in one series. */
export type TagValue = string | number | boolean

/** Tags by key: the enumerable properties of an object. Their order has no meaning. */
export type Tags = Readonly<Record<string, TagValue>>

/**
 * A tag's value as text.
 *
 * @throws TypeError naming the key when the value is neither a string nor a number nor a boolean.
 */
export function tagText(key: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    default:
      throw new TypeError(
        `The tag ${JSON.stringify(key)} must be a string, a number or a boolean, not ${describe(value)}`,
      )
  }
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : typeof value
}

/** The tags of an object, unsorted, as text. */
export function readTags(tags: Tags | undefined): Tag[] {
  const read: Tag[] = []
  for (const key in tags) read.push({ key, value: tagText(key, tags[key]) })
  return read
}

/** Both lists in one, sorted by key; where both have a key, the later list's value stays. */
export function mergeTags(earlier: readonly Tag[], later: readonly Tag[]): readonly Tag[] {
  const merged = new Map<string, Tag>()
  for (const tag of earlier) merged.set(tag.key, tag)
  for (const tag of later) merged.set(tag.key, tag)
  return sortTags([...merged.values()])
}

/** By key, by UTF-16 code units. */
export function sortTags(tags: readonly Tag[]): Tag[] {
  return [...tags].sort((one, other) => (one.key < other.key ? -1 : 1))
}

/** For messages only. */
export function formatTags(tags: readonly Tag[]): string {
  return `{${tags.map(({ key, value }) => `${key}=${JSON.stringify(value)}`).join(', ')}}`
}

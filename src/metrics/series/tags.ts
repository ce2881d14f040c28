import { kindOf } from '../../base/callback.ts'
import { invalidArgument } from '../../base/errors.ts'
import type { Tag } from '../snapshot.ts'

/** A number or boolean is the same tag value as its string: `200` and `'200'` are one series. */
export type TagValue = string | number | boolean

/** Tags by key: the enumerable properties of an object, in any order. */
export type Tags = Readonly<Record<string, TagValue>>

/**
 * Returns a tag's value as a string.
 *
 * @throws TypeError if the value is not a string, number or boolean.
 */
export function tagText(key: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    default:
      throw invalidArgument(
        `tags: ${JSON.stringify(key)}: expected a string, a number or a boolean, received ${kindOf(value)}`,
      )
  }
}

/**
 * Tags as strings, unsorted, no key twice: keys and values at the same index of two arrays, so that the keys can be
 * shared.
 */
export interface TagSet {
  readonly keys: readonly string[]
  readonly texts: readonly string[]
}

export function areTexts(values: readonly TagValue[]): values is readonly string[] {
  for (let at = 0; at < values.length; at++) if (typeof values[at] !== 'string') return false
  return true
}

/** Whether all values are strings. */
export function hasOnlyTexts(tags: Tags): boolean {
  for (const key in tags) if (typeof tags[key] !== 'string') return false
  return true
}

/**
 * Returns the tags of an object.
 *
 * @throws TypeError if it is not an object, or iterable: a description or an array of keys that was passed by mistake
 * would be read by index.
 */
export function readTags(tags: Tags): TagSet {
  const keys: string[] = []
  const texts: string[] = []
  for (const key in tags) {
    keys.push(key)
    texts.push(tagText(key, tags[key]))
  }
  // Anything else with a first key is an object with tags. Checking each would slow down the creation of many series.
  if (keys.length === 0 || keys[0] === '0') checkTags(tags)
  return { keys, texts }
}

function checkTags(tags: unknown): void {
  if (typeof tags === 'object' && !(tags !== null && Symbol.iterator in tags)) return
  throw invalidArgument(`tags: expected an object such as { region: 'eu' }, received ${kindOf(tags)}`)
}

export function tagSet(tags: readonly Tag[]): TagSet {
  return { keys: tags.map(({ key }) => key), texts: tags.map(({ value }) => value) }
}

/** Returns the tags of a set, sorted by key. */
export function listTags({ keys, texts }: TagSet): Tag[] {
  return sortTags(keys.map((key, at) => ({ key, value: texts[at] as string })))
}

/** Returns both lists as one, sorted by key. If both have a key, the value of the later list takes precedence. */
export function mergeTags(earlier: readonly Tag[], later: readonly Tag[]): readonly Tag[] {
  const merged = new Map<string, Tag>()
  for (const tag of earlier) merged.set(tag.key, tag)
  for (const tag of later) merged.set(tag.key, tag)
  return sortTags([...merged.values()])
}

/** Sorts by key, by UTF-16 code units. Those of most series are sorted already. */
function sortTags(tags: Tag[]): Tag[] {
  for (let at = 1; at < tags.length; at++) {
    if ((tags[at - 1] as Tag).key > (tags[at] as Tag).key) return tags.sort((a, b) => (a.key < b.key ? -1 : 1))
  }
  return tags
}

/** Formats tags for messages. */
export function formatTags(tags: TagSet): string {
  return `{${listTags(tags)
    .map(({ key, value }) => `${key}=${JSON.stringify(value)}`)
    .join(', ')}}`
}

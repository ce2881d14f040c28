import type { Tag } from '../snapshot.ts'

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

/** Tags as text, unsorted, no key twice: keys and values at the same places of two lists, of which the first can be shared. */
export interface TagSet {
  readonly keys: readonly string[]
  readonly texts: readonly string[]
}

export function areTexts(values: readonly TagValue[]): values is readonly string[] {
  for (let at = 0; at < values.length; at++) if (typeof values[at] !== 'string') return false
  return true
}

/** Whether all values are text already. */
export function hasOnlyTexts(tags: Tags): boolean {
  for (const key in tags) if (typeof tags[key] !== 'string') return false
  return true
}

/**
 * The tags of an object.
 *
 * @throws TypeError when it is none, or a list: what was meant to be a description or a list of keys would be read by character or place.
 */
export function readTags(tags: Tags): TagSet {
  const keys: string[] = []
  const texts: string[] = []
  for (const key in tags) {
    keys.push(key)
    texts.push(tagText(key, tags[key]))
  }
  // Whatever else has a first key is an object with tags; to ask each is seen where many series are made.
  if (keys.length === 0 || keys[0] === '0') checkTags(tags)
  return { keys, texts }
}

function checkTags(tags: unknown): void {
  if (typeof tags === 'object' && !(tags !== null && Symbol.iterator in tags)) return
  throw new TypeError("Tags must be an object such as { region: 'eu' }, not a text, a list, a map or a function")
}

export function tagSet(tags: readonly Tag[]): TagSet {
  return { keys: tags.map(({ key }) => key), texts: tags.map(({ value }) => value) }
}

/** The tags of a set, sorted by key. */
export function listTags({ keys, texts }: TagSet): Tag[] {
  return sortTags(keys.map((key, at) => ({ key, value: texts[at] as string })))
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
export function formatTags(tags: TagSet): string {
  return `{${listTags(tags)
    .map(({ key, value }) => `${key}=${JSON.stringify(value)}`)
    .join(', ')}}`
}

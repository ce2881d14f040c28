import type { Tag } from '../../metrics/snapshot.ts'

/** Returns a string that is the same for the same tags only. */
export function tagsKey(tags: readonly Tag[]): string {
  let key = ''
  // With their lengths, as tags can contain any separator. Several times as fast as JSON.
  for (const { key: name, value } of tags) key += `${name.length}:${name}${value.length}:${value}`
  return key
}

const memberTag = 'member'

/**
 * Returns the tags with the slot of a member as the tag `member`. A tag of that name is renamed `exported_member`, as
 * Prometheus does with labels that it sets itself.
 */
export function withMember(tags: readonly Tag[], slot: number): readonly Tag[] {
  const all = tags.map(({ key, value }) => ({ key: key === memberTag ? freeKey(tags) : key, value }))
  all.push({ key: memberTag, value: `${slot}` })
  return all.sort((one, other) => (one.key < other.key ? -1 : 1))
}

function freeKey(tags: readonly Tag[]): string {
  let key = `exported_${memberTag}`
  while (tags.some((tag) => tag.key === key)) key = `exported_${key}`
  return key
}

/** The tag value of the series that those beyond the maximum of a meter are merged into, as in a registry. */
const overflowValue = '_overflow'

export function overflowTags(tags: readonly Tag[]): readonly Tag[] {
  return tags.map(({ key }) => ({ key, value: overflowValue }))
}

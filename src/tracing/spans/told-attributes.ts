import type { Attributes, AttributeValue } from '../span.ts'

const mostAttributes = 128

/** Attributes without those that have no value, and no more than there may be. */
export function limitAttributes(attributes: Attributes): Readonly<Record<string, AttributeValue>> {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, AttributeValue] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries.slice(0, mostAttributes))
}

export function countDropped(attributes: Attributes): number {
  return Math.max(0, Object.values(attributes).filter((value) => value !== undefined).length - mostAttributes)
}

import type { Attributes } from './span.ts'

/** Attributes that are put together once somebody reads them, after what they tell of is over. */
export abstract class DeferredAttributes {
  abstract tell(): Attributes
}

export function told(attributes: Attributes | DeferredAttributes | undefined): Attributes | undefined {
  return attributes instanceof DeferredAttributes ? attributes.tell() : attributes
}

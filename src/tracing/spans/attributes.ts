import type { Attributes } from '../span.ts'

/** Attributes that are computed when they are read, after the request that they describe is over. */
export interface DeferredAttributes {
  compute(): Attributes
}

/** Known by shape and not by class: the request may be observed by another copy of upkeep than the one that exports. */
export function computeAttributes(attributes: Attributes | DeferredAttributes | undefined): Attributes | undefined {
  return isDeferred(attributes) ? attributes.compute() : attributes
}

function isDeferred(attributes: Attributes | DeferredAttributes | undefined): attributes is DeferredAttributes {
  return typeof attributes?.['compute'] === 'function'
}

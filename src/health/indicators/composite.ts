import type { CompositeIndicator, Indicators } from '../indicator.ts'

/** A component made of components, such as a database of its primary and its replicas; as well as the worst of them. */
export function composite(indicators: Indicators): CompositeIndicator {
  return { indicators }
}

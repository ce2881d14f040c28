import type { Caching } from '../http/conventions/caching.ts'
import { offerJson, type Representation } from '../http/representation.ts'

/** Plain JSON first; the other is what Spring Boot's consoles ask for, and the same text. */
const mediaTypes = ['application/json', 'application/vnd.spring-boot.actuator.v3+json'] as const

/** A management endpoint's value as a representation. */
export function json(value: unknown, caching: Caching): Representation {
  return { offers: offerJson(value, mediaTypes), caching }
}

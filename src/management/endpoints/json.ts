import type { Caching } from '../../http/conventions/caching.ts'
import { type Offer, offerJson, type Representation } from '../../http/representation.ts'

/** Plain JSON first; the other is what Spring Boot's consoles ask for, and the same text. */
const mediaTypes = ['application/json', 'application/vnd.spring-boot.actuator.v3+json'] as const
const second = 'application/vnd.spring-boot.actuator.v2+json'

/**
 * A management endpoint's value as a representation. `asSecond` makes what consoles of Spring Boot 2.0 and 2.1 read of it,
 * where that differs.
 */
export function json<Value>(
  value: Value,
  caching: Caching,
  asSecond: (value: Value) => unknown = (same) => same,
): Representation {
  const old: Offer = {
    mediaType: second,
    render: (selection) => offerJson(asSecond(value), [second])[0].render(selection),
  }
  return { offers: [...offerJson(value, mediaTypes), old], caching }
}

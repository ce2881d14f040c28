import { actuatorMediaTypes, actuatorVersion2 } from '../../http/actuator-media-types.ts'
import type { Caching } from '../../http/conventions/caching.ts'
import { type Offer, offerJson, type Representation } from '../../http/representation.ts'
import type { DescribedContent } from '../../rest/openapi/operation.ts'
import type { JsonSchema } from '../../rest/schemas/json-schema.ts'

/** The media types of request bodies: the consoles of Spring Boot send JSON under their own types. */
export const jsonBodyTypes: readonly string[] = [...actuatorMediaTypes, actuatorVersion2]

/**
 * Returns the value of a management endpoint as a representation. `asVersion2` converts it to the form that consoles of
 * Spring Boot 2.0 and 2.1 read, where that differs.
 */
export function json<Value>(
  value: Value,
  caching: Caching,
  asVersion2: (value: Value) => unknown = (same) => same,
): Representation {
  const old: Offer = {
    mediaType: actuatorVersion2,
    render: (selection) => offerJson(asVersion2(value), [actuatorVersion2])[0].render(selection),
  }
  return { offers: [...offerJson(value, actuatorMediaTypes), old], caching }
}

/** Describes JSON content; `name` is that of a schema which several operations share. */
export function describeJson(schema: JsonSchema, name?: string): readonly DescribedContent[] {
  return [{ mediaType: 'application/json', schema, name }]
}

/** Describes an object of these properties, all of which are required. */
export function objectSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Describes an array. */
export function listSchema(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export const stringSchema: JsonSchema = { type: 'string' }

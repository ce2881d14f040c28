import { isSchema, type Schema } from './schema.ts'

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Whether a schema describes the input or the output of validation. Members with a default are optional in the input
 * and present in the output.
 */
export type SchemaDirection = 'input' | 'output'

/** Converts a schema without a JSON Schema of its own: `z.toJSONSchema` for zod/mini. */
export type ToJsonSchema = {
  // A method, whose parameters are bivariant: the function accepts the schemas of its own library only.
  convert(
    schema: Schema,
    options: { readonly io: SchemaDirection; readonly target: 'draft-2020-12'; readonly unrepresentable: 'any' },
  ): unknown
}['convert']

const target = 'draft-2020-12'

/** Returns the JSON Schema of a schema, or `undefined` if it has none. A JSON Schema is returned unchanged. */
export function jsonSchemaOf(
  schema: Schema | JsonSchema,
  direction: SchemaDirection,
  toJsonSchema?: ToJsonSchema,
): JsonSchema | undefined {
  if (!isSchema(schema)) return schema
  const source = schema['~standard'].jsonSchema
  const options = { target, libraryOptions: { unrepresentable: 'any' } } as const
  if (source !== undefined) return direction === 'input' ? source.input(options) : source.output(options)
  return toJsonSchema?.(schema, { io: direction, target, unrepresentable: 'any' }) as JsonSchema | undefined
}

/** Opens a JSON Schema for readers: allows the members that newer versions may add. */
export function openToMore(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openToMore)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (name === 'additionalProperties' && value === false) return []
      return [[name, isLiteral(name) ? value : openToMore(value)]]
    }),
  )
}

/** Keywords whose value is data instead of a schema. */
export function isLiteral(keyword: string): boolean {
  return ['const', 'enum', 'default', 'examples', 'example'].includes(keyword)
}

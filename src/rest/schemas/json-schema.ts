import { isSchema, type Schema } from './schema.ts'

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Whether a schema says what comes in, or what goes out: a default may be left out of the one and is in the other. */
export type Direction = 'input' | 'output'

/** Tells the JSON Schema of a schema that does not itself: `z.toJSONSchema` for zod's mini build. */
export type ToJsonSchema = (
  schema: never,
  options: { readonly io: Direction; readonly target: 'draft-2020-12'; readonly unrepresentable: 'any' },
) => unknown

const target = 'draft-2020-12'

/** The JSON Schema of a schema, or `undefined` where nobody tells it. A JSON Schema is its own. */
export function jsonSchemaOf(
  schema: Schema | JsonSchema,
  direction: Direction,
  toJsonSchema?: ToJsonSchema,
): JsonSchema | undefined {
  if (!isSchema(schema)) return schema
  const source = schema['~standard'].jsonSchema
  const options = { target, libraryOptions: { unrepresentable: 'any' } } as const
  if (source !== undefined) return direction === 'input' ? source.input(options) : source.output(options)
  // Any schema is asked for that the function of its own library was handed for.
  return toJsonSchema?.(schema as never, { io: direction, target, unrepresentable: 'any' }) as JsonSchema | undefined
}

/**
 * A JSON Schema for who reads: it lets pass the fields that a newer version of the representation may add, which a
 * schema of what is written does not.
 */
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

/** Keywords whose value is data, in which a name means nothing. */
export function isLiteral(keyword: string): boolean {
  return ['const', 'enum', 'default', 'examples', 'example'].includes(keyword)
}

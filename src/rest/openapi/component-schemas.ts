import { isLiteral, type JsonSchema, jsonSchemaOf, openToMore, type ToJsonSchema } from '../schemas/json-schema.ts'
import type { Schema } from '../schemas/schema.ts'
import type { DescribedContent } from './operation.ts'

/** The component schemas of an OpenAPI document; each named schema is stored once. */
export interface ComponentSchemas {
  /** Returns the schema, or a reference to its component. */
  readonly schemaFor: (content: DescribedContent, side: 'request' | 'response') => JsonSchema
  /** Returns the schema of a response, and the schema of the fields selected by the query parameter `fields`. */
  readonly selectableSchemaFor: (content: DescribedContent) => JsonSchema
  readonly all: () => Readonly<Record<string, unknown>>
}

export function createComponentSchemas(toJsonSchema: ToJsonSchema | undefined): ComponentSchemas {
  const kept = new Map<string, unknown>()

  const keep = (name: string, schema: JsonSchema): JsonSchema => {
    const { $schema: _dialect, $defs = {}, ...own } = schema
    kept.set(name, pointedTo(own, name))
    for (const [inner, definition] of Object.entries($defs as object)) {
      kept.set(`${name}.${safe(inner)}`, pointedTo(definition, name))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  const told = (schema: Schema | JsonSchema, side: 'request' | 'response') => {
    const known = jsonSchemaOf(schema, side === 'request' ? 'input' : 'output', toJsonSchema) ?? {}
    return side === 'request' ? known : (openToMore(known) as JsonSchema)
  }

  let unnamed = 0
  return {
    schemaFor: ({ schema, name, isList = false }, side) => {
      const one = schema === undefined ? {} : reference(told(schema, side), name)
      return isList ? { type: 'array', items: one } : one
    },
    selectableSchemaFor: ({ schema, name, isList = false }) => {
      if (schema === undefined) return isList ? { type: 'array', items: {} } : {}
      const whole = told(schema, 'response')
      const part = withoutRequired(whole) as JsonSchema
      const same = JSON.stringify(part) === JSON.stringify(whole)
      const anyOf = [reference(whole, name), ...(same ? [] : [reference(part, name && `${name}-fields`)])]
      const one = anyOf.length === 1 ? anyOf[0] : { anyOf }
      return isList ? { type: 'array', items: one } : (one as JsonSchema)
    },
    all: () => Object.fromEntries(kept),
  }

  /** A schema that references itself must be stored, so that the reference has a target. */
  function reference(schema: JsonSchema, name: string | undefined): JsonSchema {
    if (name !== undefined) return keep(name, schema)
    if (JSON.stringify(schema).includes('"$ref"')) return keep(`schema-${++unnamed}`, schema)
    const { $schema: _dialect, ...own } = schema
    return own
  }
}

/** Returns a schema that also matches any subset of the members. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
      if (keyword === 'required' && Array.isArray(value)) return []
      if (isLiteral(keyword)) return [[keyword, value]]
      const isMap = (keyword === 'properties' || keyword === '$defs') && typeof value === 'object' && value !== null
      if (!isMap) return [[keyword, withoutRequired(value)]]
      return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutRequired(one)]))]]
    }),
  )
}

/** Rewrites references to the schema itself to the component. */
function pointedTo(schema: unknown, name: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => pointedTo(each, name))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string') return [keyword, movedReference(value, name)]
      return [keyword, isLiteral(keyword) ? value : pointedTo(value, name)]
    }),
  )
}

function movedReference(reference: string, name: string): string {
  const definition = /^#\/\$defs\/(.+)$/.exec(reference)?.[1]
  return definition === undefined
    ? reference.replace(/^#/, `#/components/schemas/${name}`)
    : `#/components/schemas/${name}.${safe(definition)}`
}

function safe(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '-')
}

/**
 * A schema of any library that implements Standard Schema 1.0, such as zod 4, Valibot and ArkType. zod ≥ 4.2 also
 * provides a JSON Schema; others, zod/mini included, need `toJsonSchema`.
 */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly jsonSchema?: JsonSchemaSource | undefined
  }
}

/** Converts a schema to JSON Schema, for what it accepts and what it returns (Standard JSON Schema 1.0). */
export interface JsonSchemaSource {
  readonly input: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>
  readonly output: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>
}

/** The requested dialect of JSON Schema. */
export interface JsonSchemaTarget {
  readonly target: 'draft-2020-12'
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** The result of validation: the output, or the issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** A reason why a value does not match a schema (Standard Schema 1.0). */
export interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export function isSchema(value: unknown): value is Schema {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value
}

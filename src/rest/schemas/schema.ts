/**
 * A schema, whichever library made it: what zod 4, Valibot and ArkType have in common (Standard Schema 1.0). Its JSON
 * Schema is told by zod 4.2 and newer; of zod's mini build, and of others, `toJsonSchema` tells it.
 */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly jsonSchema?: JsonSchemaSource | undefined
  }
}

export interface JsonSchemaSource {
  readonly input: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>
  readonly output: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>
}

export interface JsonSchemaTarget {
  readonly target: 'draft-2020-12'
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** What a schema says of a value: the value as it is to be used, or what is wrong with it. */
export type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

export interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export function isSchema(value: unknown): value is Schema {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value
}

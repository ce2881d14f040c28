import type { JsonSchema } from '../schemas/json-schema.ts'
import type { Schema } from '../schemas/schema.ts'

/** One method of one resource, as its description tells it. */
export interface DescribedOperation {
  /** Below the base path, with variables such as `{order}`. */
  readonly path: string
  readonly method: string
  readonly archetype?: string | undefined
  readonly summary?: string | undefined
  readonly authorized: boolean
  /** The authentication scheme, such as `basic`. @default that of the service */
  readonly scheme?: string | undefined
  readonly query: readonly DescribedParameter[]
  /** A schema of an object of further query parameters. */
  readonly filters?: Schema | undefined
  /** The fields that say which version is to be changed. */
  readonly isConditional: boolean
  readonly request: readonly DescribedContent[]
  readonly answers: readonly DescribedAnswer[]
}

export interface DescribedParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

export interface DescribedContent {
  readonly mediaType: string
  readonly schema?: Schema | JsonSchema | undefined
  /** Under which the schema is kept, once for all that use it. */
  readonly name?: string | undefined
  /** A list of what the schema describes. */
  readonly isList?: boolean | undefined
}

export interface DescribedAnswer {
  readonly status: number
  readonly description: string
  readonly content?: readonly DescribedContent[] | undefined
  /** Header fields, and what each says. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

import type { JsonSchema } from '../schemas/json-schema.ts'
import type { Schema } from '../schemas/schema.ts'

/** One method of one resource, for the OpenAPI document. */
export interface DescribedOperation {
  /** Absolute path with variables such as `{order}`. */
  readonly path: string
  readonly method: string
  readonly archetype?: string | undefined
  readonly summary?: string | undefined
  readonly authorized: boolean
  /** Authentication scheme, such as `basic`. @default that of the service */
  readonly scheme?: string | undefined
  readonly query: readonly DescribedParameter[]
  /** Object schema of additional query parameters. */
  readonly filters?: Schema | undefined
  /** Whether preconditions (`If-Match`, `If-Unmodified-Since`) are supported. */
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
  /** Name of the component schema, shared by all its uses. */
  readonly name?: string | undefined
  /** Whether the content is an array of what the schema describes. */
  readonly isList?: boolean | undefined
}

export interface DescribedAnswer {
  readonly status: number
  readonly description: string
  readonly content?: readonly DescribedContent[] | undefined
  /** Descriptions of header fields by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

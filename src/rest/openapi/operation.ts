import type { JsonSchema } from '../schemas/json-schema.ts'
import type { Schema } from '../schemas/schema.ts'

/** What one operation accepts and returns, for an OpenAPI description. */
export interface OperationDescription {
  /** A sentence for a person. */
  readonly summary?: string | undefined
  /** Query parameters. @default [] */
  readonly query?: readonly DescribedParameter[]
  /** The request body by media type. @default [], no body */
  readonly request?: readonly DescribedContent[]
  /** The responses, without errors, which every operation has. */
  readonly responses?: readonly DescribedResponse[]
}

/** One method of one path, as it is written into an OpenAPI description. */
export interface DescribedOperation extends Required<Omit<OperationDescription, 'summary'>> {
  /** From the root of the server, with variables such as `{order}`. */
  readonly path: string
  readonly method: string
  readonly archetype?: string | undefined
  readonly summary?: string | undefined
  /** Whether it requires credentials. */
  readonly authorized: boolean
  /** Authentication scheme, such as `basic`. @default that of the service */
  readonly scheme?: string | undefined
  /** A schema of an object of further query parameters. */
  readonly filters?: Schema | undefined
  /** Whether it accepts `If-Match` and `If-Unmodified-Since`. */
  readonly isConditional: boolean
}

/** A query parameter in the OpenAPI document. */
export interface DescribedParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

/** The content of a request or response in the OpenAPI document. */
export interface DescribedContent {
  /** Such as `application/json`. */
  readonly mediaType: string
  readonly schema?: Schema | JsonSchema | undefined
  /** The name of the schema in the components of the document, for a schema that several operations use. */
  readonly name?: string | undefined
  /** Whether the content is an array of what the schema describes. @default false */
  readonly isList?: boolean | undefined
}

/** A response in the OpenAPI document. */
export interface DescribedResponse {
  readonly status: number
  readonly description: string
  readonly content?: readonly DescribedContent[] | undefined
  /** Descriptions of header fields by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

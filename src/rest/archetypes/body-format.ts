import { withErrorCode } from '../../base/errors.ts'
import { decodeUtf8, parseJson } from '../../http/conventions/json-text.ts'
import { readBody } from '../../http/conventions/request-body.ts'
import { requestTypeOf } from '../../http/conventions/request-type.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { ManagementRequest } from '../../http/message.ts'
import type { Representation } from '../schemas/described-representation.ts'
import { isSchema, type Schema } from '../schemas/schema.ts'
import type { ResourceSettings } from './resource-definition.ts'
import { validate } from './validate.ts'

/** A format of request bodies, with its parser. */
export interface BodyFormat<Body> {
  readonly kind: 'body-format'
  /** Media types of this format; a range such as `image/*` matches several. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Whether content with a charset other than UTF-8 is rejected with 415. */
  readonly utf8: boolean
  readonly schema: Schema | undefined
  /** Name under which the schema is published. */
  readonly schemaName?: string | undefined
  readonly decode: (content: BodyContent, maxDepth: number) => Body | Promise<Body>
}

/** A complete request body: its bytes, or the value produced by an upstream body parser. */
export type BodyContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'parsed'; readonly value: unknown }

/** Accepted request bodies: JSON by a schema or a representation, or one or more formats. */
export type Accepts<Body> = Schema<Body> | Representation<Body> | BodyFormat<Body> | readonly BodyFormat<Body>[]

/** Accepts JSON in UTF-8, validated by the schema. Duplicate member names are rejected with 400. */
export function jsonBody<Body = unknown>(
  schema?: Schema<Body>,
  { mediaTypes = ['application/json'] }: { readonly mediaTypes?: readonly [string, ...string[]] } = {},
): BodyFormat<Body> {
  return {
    kind: 'body-format',
    mediaTypes,
    utf8: true,
    schema,
    decode: (content, maxDepth) => held(schema, jsonValue(content, maxDepth)),
  }
}

/** Accepts an HTML form (`application/x-www-form-urlencoded`): strings by name, arrays for repeated names. */
export function formBody<Body = Readonly<Record<string, string | readonly string[]>>>(
  schema?: Schema<Body>,
): BodyFormat<Body> {
  return {
    kind: 'body-format',
    mediaTypes: ['application/x-www-form-urlencoded'],
    utf8: true,
    schema,
    decode: (content) =>
      held(
        schema,
        content.kind === 'parsed' ? content.value : namedTexts(new URLSearchParams(decodeUtf8(content.bytes))),
      ),
  }
}

/** Accepts text in UTF-8. */
export function textBody(mediaTypes: readonly [string, ...string[]] = ['text/plain']): BodyFormat<string> {
  return {
    kind: 'body-format',
    mediaTypes,
    utf8: true,
    schema: undefined,
    decode: (content) => decodeUtf8(bytesOf(content)),
  }
}

/** Accepts raw bytes. The range for all types also accepts content without a type. */
export function bytesBody(mediaTypes: readonly [string, ...string[]] = ['*/*']): BodyFormat<Uint8Array> {
  return { kind: 'body-format', mediaTypes, utf8: false, schema: undefined, decode: bytesOf }
}

/** Returns the accepted formats, most preferred first. */
export function formatsOf<Body>(accepts: Accepts<Body>): readonly BodyFormat<Body>[] {
  if (isSchema(accepts)) return [jsonBody(accepts)]
  if (!('kind' in accepts)) return accepts
  if (accepts.kind === 'body-format') return [accepts]
  return accepts.versions.map(({ mediaType, schema, schemaName, read }) => ({
    kind: 'body-format',
    mediaTypes: [mediaType],
    utf8: true,
    schema,
    schemaName,
    decode: async (content, maxDepth) => read(await validate(schema, jsonValue(content, maxDepth))),
  }))
}

/**
 * Reads and parses the body of a request.
 *
 * @throws HttpError 415, 413 or 400; with `errors` for a value that the schema rejects.
 */
export async function readFormatted<Body>(
  request: ManagementRequest,
  formats: readonly BodyFormat<Body>[],
  { limitBytes, maxDepth }: Pick<ResourceSettings, 'limitBytes' | 'maxDepth'>,
): Promise<Body> {
  const utf8 = formats.every((format) => format.utf8)
  const type = requestTypeOf(
    request.headers,
    formats.flatMap(({ mediaTypes }) => mediaTypes),
    { utf8 },
  )
  const format = formats.find(({ mediaTypes }) => mediaTypes.includes(type))
  if (format === undefined) throw new HttpError(415, 'The media type of the body is not supported.')
  return format.decode(await readBody(request, limitBytes), maxDepth)
}

async function held<Body>(schema: Schema<Body> | undefined, value: unknown): Promise<Body> {
  // Without a schema the body is unvalidated and has its default type, `unknown`.
  return schema === undefined ? (value as Body) : validate(schema, value)
}

function jsonValue(content: BodyContent, maxDepth: number): unknown {
  return content.kind === 'parsed' ? content.value : parseJson(content.bytes, { maxDepth })
}

function bytesOf(content: BodyContent): Uint8Array {
  if (content.kind === 'bytes') return content.bytes
  const { value } = content
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string') return Buffer.from(value)
  throw withErrorCode(
    new TypeError('The body was parsed before it reached this resource: do not install a body parser in front of it'),
    'UPKEEP_ESTATE',
  )
}

/** Collects the values of a query or form by name. */
export function namedTexts(parameters: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  const lists = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]))
}

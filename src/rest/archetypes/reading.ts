import type { Call } from '../../http/resource.ts'
import type { DescribedContent, DescribedParameter } from '../openapi/operation.ts'
import { type Action, actionOf } from './action.ts'
import { type ActionValue, toResponse } from './action-response.ts'
import { isReply, type Redirect } from './reply.ts'
import type { ResponseOptions } from './represent.ts'
import { type AccessRule, accessFor, type ResourceOperation, type ResourceSettings } from './resource-definition.ts'

/** Finds the resource at a path: returns its value, a redirect, or `undefined` if it does not exist. */
export type ReadResource<Path extends string, Value> = (
  action: Action<Path>,
) => Value | Redirect | undefined | Promise<Value | Redirect | undefined>

/** Reads the current value, once per request. */
export type Current<Value> = (call: Call, site: ResourceSettings) => Promise<ActionValue<Value>>

export function readOnce<Path extends string, Value>(path: Path, read: ReadResource<Path, Value>): Current<Value> {
  const found = new WeakMap<Call, Promise<ActionValue<Value>>>()
  return (call, site) => {
    const known = found.get(call)
    if (known !== undefined) return known
    const reading = Promise.resolve(read(actionOf(call, path, site)))
    found.set(call, reading)
    return reading
  }
}

/** Returns the current value; `undefined` for a redirect. */
export async function valueNow<Value>(
  current: Current<Value>,
  call: Call,
  site: ResourceSettings,
): Promise<Value | undefined> {
  const answer = await current(call, site)
  return isReply(answer) ? undefined : answer
}

/** GET of a single resource. */
export function readOperation<Path extends string, Value>(
  path: Path,
  current: Current<Value>,
  showing: ResponseOptions<Path, Value>,
  { access, summary }: { readonly access?: AccessRule | undefined; readonly summary?: string | undefined },
): ResourceOperation {
  return {
    method: 'GET',
    access: accessFor(access, 'read'),
    guard: 'none',
    perform: async (call, site) => toResponse(await current(call, site), showing, {}, actionOf(call, path, site), site),
    representations: representationsOf(showing),
    description: {
      summary,
      query: [...showingParameters(showing)],
      request: [],
      responses: [
        { status: 200, description: 'The resource.', content: contentsOf(showing), headers: metadataFields },
        { status: 304, description: 'The copy of the client is current.' },
      ],
    },
  }
}

/** Descriptions of the header fields of responses to GET. */
export const metadataFields: Readonly<Record<string, string>> = {
  ETag: 'The version of the representation.',
  'Cache-Control': 'How long the response may be reused.',
}

export function representationsOf<Path extends string, Value>({
  representation,
}: ResponseOptions<Path, Value>): ResourceOperation['representations'] {
  return representation === undefined ? [] : [representation]
}

/** Describes the formats of a response. */
export function contentsOf<Path extends string, Value>(
  { representation, forms = {} }: ResponseOptions<Path, Value>,
  isList = false,
): readonly DescribedContent[] {
  const json: readonly DescribedContent[] = representation?.versions.map(({ mediaType, schema, schemaName }) => ({
    mediaType,
    schema,
    name: schemaName,
    isList,
  })) ?? [{ mediaType: 'application/json' }]
  return [...json, ...(isList ? [] : Object.keys(forms).map((mediaType) => ({ mediaType })))]
}

/** Names, each optionally followed by a list of names in parentheses; deeper nesting is not checked. */
const fieldsPattern = String.raw`^[^\s(),]+(\([^,].*\))?(,[^\s(),]+(\([^,].*\))?)*$`

/** Describes the query parameters that shape a response. */
export function showingParameters<Path extends string, Value>({
  embeds = {},
}: ResponseOptions<Path, Value>): readonly DescribedParameter[] {
  const text = { type: 'string' }
  const names = Object.keys(embeds)
  return [
    {
      name: 'fields',
      description: 'The fields to return, such as id,customer(name). All others are omitted, including required ones.',
      schema: { type: 'string', pattern: fieldsPattern },
    },
    {
      name: 'accept',
      description: 'The media type of the response; takes precedence over the Accept field.',
      schema: text,
    },
    ...(names.length === 0
      ? []
      : [{ name: 'embed', description: `What to embed: one or more of ${names.join(', ')}.`, schema: text }]),
  ]
}

import type { Call } from '../../http/resource.ts'
import type { DescribedContent, DescribedParameter } from '../openapi/operation.ts'
import { type Action, actionOf } from './action.ts'
import { type Answer, answerReply } from './answer-reply.ts'
import { type AccessRule, accessFor, type Operation } from './part.ts'
import { isReply, type Redirect } from './reply.ts'
import type { Showing } from './represent.ts'
import type { Site } from './site.ts'

/** Finds what is at an address: its value, where it is instead, or `undefined` where there is nothing. */
export type Read<Path extends string, Value> = (
  action: Action<Path>,
) => Value | Redirect | undefined | Promise<Value | Redirect | undefined>

/** Reads what is at an address, once for each request however often it is asked for. */
export type Current<Value> = (call: Call, site: Site) => Promise<Answer<Value>>

export function readOnce<Path extends string, Value>(path: Path, read: Read<Path, Value>): Current<Value> {
  const found = new WeakMap<Call, Promise<Answer<Value>>>()
  return (call, site) => {
    const known = found.get(call)
    if (known !== undefined) return known
    const reading = Promise.resolve(read(actionOf(call, path, site)))
    found.set(call, reading)
    return reading
  }
}

/** The value that is at an address; what only refers to another one has none. */
export async function valueNow<Value>(current: Current<Value>, call: Call, site: Site): Promise<Value | undefined> {
  const answer = await current(call, site)
  return isReply(answer) ? undefined : answer
}

/** GET of one value. */
export function readOperation<Path extends string, Value>(
  path: Path,
  current: Current<Value>,
  showing: Showing<Path, Value>,
  { access, summary }: { readonly access?: AccessRule | undefined; readonly summary?: string | undefined },
): Operation {
  return {
    method: 'GET',
    access: accessFor(access, 'read'),
    guard: 'none',
    perform: async (call, site) =>
      answerReply(await current(call, site), showing, {}, actionOf(call, path, site), site),
    representations: representationsOf(showing),
    description: {
      summary,
      query: [...showingParameters(showing)],
      request: [],
      responses: [
        { status: 200, description: 'What is here.', content: contentsOf(showing), headers: metadataFields },
        { status: 304, description: 'The copy that the client has still holds.' },
      ],
    },
  }
}

/** What the header fields of an answer to GET say. */
export const metadataFields: Readonly<Record<string, string>> = {
  ETag: 'Which version of the representation this is.',
  'Cache-Control': 'How long it may be used again.',
}

export function representationsOf<Path extends string, Value>({
  representation,
}: Showing<Path, Value>): Operation['representations'] {
  return representation === undefined ? [] : [representation]
}

/** The forms of an answer. */
export function contentsOf<Path extends string, Value>(
  { representation, forms = {} }: Showing<Path, Value>,
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

/** Names, each with a list of names in parentheses or without; they may nest deeper than a pattern can say. */
const fieldsPattern = String.raw`^[^\s(),]+(\([^,].*\))?(,[^\s(),]+(\([^,].*\))?)*$`

/** The query parameters by which a client says what it wants to see. */
export function showingParameters<Path extends string, Value>({
  embeds = {},
}: Showing<Path, Value>): readonly DescribedParameter[] {
  const text = { type: 'string' }
  const names = Object.keys(embeds)
  return [
    {
      name: 'fields',
      description:
        'The fields to answer with, such as id,customer(name); others are omitted, also those that are required.',
      schema: { type: 'string', pattern: fieldsPattern },
    },
    { name: 'accept', description: 'The media type to answer in, before the Accept field.', schema: text },
    ...(names.length === 0
      ? []
      : [{ name: 'embed', description: `What to put into the document: of ${names.join(', ')}.`, schema: text }]),
  ]
}

import { withErrorCode } from '../../base/errors.ts'
import type { Caching } from '../../http/conventions/caching.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import {
  type Offer,
  type RepresentationContent as OfferContent,
  offerJson,
  type Representation as Sent,
} from '../../http/representation.ts'
import type { Representation } from '../schemas/described-representation.ts'
import type { Action } from './action.ts'
import type { ResourceSettings } from './resource-definition.ts'

/** Links of a document by relation: paths below the base path, or URLs; `undefined` omits a link. */
export type Links = Readonly<Record<string, string | undefined>>

/** How values are sent. */
export interface ResponseOptions<Path extends string, Value> {
  /** The versions and schemas of a value. @default JSON without a schema */
  readonly representation?: Representation<Value> | undefined
  /** Formats other than JSON, by media type such as `text/html; charset=utf-8`. */
  readonly forms?: Readonly<Record<string, (value: Value, action: Action<Path>) => OfferContent>> | undefined
  /** Returns the links of a value; they are sent in its member `links`. */
  readonly links?: ((value: Value, action: Action<Path>) => Links) | undefined
  /** Related documents that the query parameter `embed` adds, by relation. */
  readonly embeds?: Readonly<Record<string, (value: Value, action: Action<Path>) => unknown>> | undefined
  /** Returns when a value was last changed; a number is in milliseconds since the epoch. */
  readonly lastModified?: ((value: Value) => Date | number | undefined) | undefined
  /** How long responses may be reused. @default 'no-cache' */
  readonly caching?: Caching | undefined
}

/** Metadata of a response. */
export interface ResponseMetadata {
  readonly status?: number | undefined
  /** `undefined` omits a field. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly lastModified?: Date | number | undefined
}

/** One value, or a list of values. */
type Shown<Value> = { readonly one: Value } | { readonly many: readonly Value[] }

/**
 * Returns one value or a list in every available format; embedded documents are fetched first.
 *
 * @throws HttpError 400 for a relation that cannot be embedded.
 */
export async function represent<Path extends string, Value>(
  shown: Shown<Value>,
  showing: ResponseOptions<Path, Value>,
  { status, headers = {}, lastModified = lastModifiedOf(shown, showing) }: ResponseMetadata,
  action: Action<Path>,
  site: ResourceSettings,
): Promise<Sent> {
  const { representation, forms = {}, caching = 'no-cache' } = showing
  const values = 'one' in shown ? [shown.one] : shown.many
  const additions = await Promise.all(values.map((value) => additionsTo(value, showing, action, site)))

  const json = (mediaType: string, write: (value: Value) => unknown): Offer => ({
    mediaType,
    render: (selection) => {
      const documents = values.map((value, at) => extended(write(value), additions[at]))
      const [offer] = offerJson('one' in shown ? documents[0] : documents, [mediaType])
      return offer.render(selection)
    },
  })
  const [first, ...others] = representation?.versions ?? []
  const newest = first === undefined ? json('application/json', (value) => value) : json(first.mediaType, first.write)
  const rendered = 'one' in shown ? Object.entries(forms) : []
  return {
    ...(status !== undefined && { status }),
    ...(lastModified !== undefined && { lastModified: Number(lastModified) }),
    headers: presentFields(headers),
    caching,
    offers: [
      newest,
      ...others.map(({ mediaType, write }) => json(mediaType, write)),
      ...rendered.map(
        ([mediaType, render]): Offer => ({ mediaType, render: () => render(values[0] as Value, action) }),
      ),
    ],
  }
}

/** Removes fields whose value is `undefined`. */
export function presentFields(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const present = Object.entries(headers).filter((field): field is [string, string] => field[1] !== undefined)
  return Object.fromEntries(present)
}

function lastModifiedOf<Value>(
  shown: Shown<Value>,
  { lastModified }: Pick<ResponseOptions<string, Value>, 'lastModified'>,
): Date | number | undefined {
  return 'one' in shown ? lastModified?.(shown.one) : undefined
}

/** Returns the members added to a document: `links` and embedded documents. */
async function additionsTo<Path extends string, Value>(
  value: Value,
  { links, embeds = {} }: ResponseOptions<Path, Value>,
  action: Action<Path>,
  site: ResourceSettings,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const names = embeddingsOf(action.query, Object.keys(embeds))
  if (links === undefined && names.length === 0) return undefined
  const embedded = await Promise.all(names.map(async (name) => [name, await embeds[name]?.(value, action)] as const))
  const told = Object.entries(links?.(value, action) ?? {}).flatMap(([relation, path]) => {
    if (path === undefined) return []
    if (!site.relations.has(relation))
      throw withErrorCode(
        new TypeError(`createResources: relations: expected a declaration of the relation "${relation}"`),
        'UPKEEP_ESTATE',
      )
    const rel = action.addressOf(`${site.relationsPath}/${relation}`)
    return [[relation, { rel, href: action.addressOf(path) }] as const]
  })
  return { ...(links !== undefined && { links: Object.fromEntries(told) }), ...Object.fromEntries(embedded) }
}

/**
 * Parses the parameter `embed`: a comma-separated list, or several parameters.
 *
 * @throws HttpError 400 for an unknown relation.
 */
function embeddingsOf(query: URLSearchParams, known: readonly string[]): readonly string[] {
  const names = [...new Set(query.getAll('embed').flatMap((list) => list.split(',')))].map((name) => name.trim())
  const strange = names.filter((name) => !known.includes(name))
  if (strange.length === 0) return names
  const message =
    known.length === 0 ? 'must be absent: this resource embeds nothing' : `must be one or more of ${known.join(', ')}`
  throw new HttpError(400, 'Invalid query parameters.', {
    members: { errors: [{ path: 'embed', message }] },
  })
}

function extended(document: unknown, additions: Readonly<Record<string, unknown>> | undefined): unknown {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return additions === undefined || !isObject ? document : { ...document, ...additions }
}

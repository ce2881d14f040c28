import { mountPathOf, pathOf } from '../../http/conventions/target.ts'
import type { Representation } from '../../http/representation.ts'
import type { DescribedParameter } from '../openapi/operation.ts'
import type { Schema } from '../schemas/schema.ts'
import { type Action, actionOf } from './action.ts'
import { namedTexts } from './body-format.ts'
import { type CutPage, cutPage, type Page, type PageLimits, type PageRequest, pageLinks, parsePage } from './page.ts'
import { type AccessRule, accessFor, type Operation } from './part.ts'
import { contentsOf, metadataFields, representationsOf, showingParameters } from './reading.ts'
import { represent, type Showing } from './represent.ts'
import type { Site } from './site.ts'
import { validate } from './validate.ts'

/** A request for a part of a collection. */
export interface ListAction<Path extends string, Filters> extends Action<Path> {
  readonly page: PageRequest
  /** The query parameters as the schema of filters makes them. */
  readonly filters: Filters
}

export interface Listing<Path extends string, Value, Filters> {
  /** Gives a page of what is here. */
  readonly list: (action: ListAction<Path, Filters>) => Page<Value> | Promise<Page<Value>>
  /** What query parameters narrow a list by; others are passed over, unless the schema refuses them. @default none */
  readonly filters?: Schema<Filters> | undefined
  readonly page?: PageLimits | undefined
}

/** GET of a collection or a store: an array of values, its neighbours in `Link`, its total in `X-Total-Count`. */
export function listOperation<Path extends string, Value, Filters>(
  path: Path,
  { list, filters, page: limits }: Listing<Path, Value, Filters>,
  showing: Showing<Path, Value>,
  { access, summary }: { readonly access?: AccessRule | undefined; readonly summary?: string | undefined },
): Operation {
  return {
    method: 'GET',
    access: accessFor(access, 'read'),
    guard: 'none',
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const page = parsePage(call.query, limits)
      const narrowed = filters === undefined ? undefined : await validate(filters, filterTexts(call.query), 'query')
      // Without a schema there are no filters, and their type is the unknown one that it has by default.
      const found = await list({ ...action, page, filters: narrowed as Filters })
      return showPage(found, page, showing, action, site)
    },
    representations: representationsOf(showing),
    description: {
      summary,
      filters,
      query: [...pagingParameters(limits), ...showingParameters(showing)],
      request: [],
      responses: [
        {
          status: 200,
          description: 'A page of what is here.',
          content: contentsOf(showing, true),
          headers: { ...metadataFields, ...pageFields },
        },
        { status: 304, description: 'The copy that the client has still holds.' },
      ],
    },
  }
}

export const pageFields: Readonly<Record<string, string>> = {
  Link: 'The first, previous, next and last page, as far as there is one (RFC 8288).',
  'X-Total-Count': 'How many there are in all, where that is known.',
}

/** A page as an answer. */
export function showPage<Path extends string, Value>(
  found: Page<Value>,
  page: PageRequest,
  showing: Showing<Path, Value>,
  action: Action<Path>,
  site: Site,
): Promise<Representation> {
  const cut: CutPage<Value> = cutPage(found, page)
  const { base, target } = action.request
  const headers = {
    Link: pageLinks(mountPathOf(base) + pathOf(target), action.query, page, cut),
    ...(cut.total !== undefined && { 'X-Total-Count': String(cut.total) }),
  }
  return represent({ many: cut.items }, showing, { headers, lastModified: found.lastModified }, action, site)
}

/** Query parameters that resources understand of themselves. */
const ownParameters: readonly string[] = ['pageSize', 'pageStartIndex', 'fields', 'accept', 'embed']

function filterTexts(query: URLSearchParams): unknown {
  return namedTexts(new URLSearchParams([...query].filter(([name]) => !ownParameters.includes(name))))
}

export function pagingParameters({
  size = 20,
  maximumSize = 100,
  maximumStartIndex = 1_000_000,
}: PageLimits = {}): readonly DescribedParameter[] {
  return [
    {
      name: 'pageSize',
      description: 'How many to answer with at most.',
      schema: { type: 'integer', minimum: 1, maximum: maximumSize, default: size },
    },
    {
      name: 'pageStartIndex',
      description: 'How many to pass over.',
      schema: { type: 'integer', minimum: 0, maximum: maximumStartIndex, default: 0 },
    },
  ]
}

import { mountPathOf, pathOf } from '../../http/conventions/target.ts'
import type { Representation } from '../../http/representation.ts'
import type { DescribedParameter } from '../openapi/operation.ts'
import type { Schema } from '../schemas/schema.ts'
import { type Action, actionOf } from './action.ts'
import { namedTexts } from './body-format.ts'
import { type CutPage, cutPage, type Page, type PageLimits, type PageRequest, pageLinks, parsePage } from './page.ts'
import { contentsOf, metadataFields, representationsOf, showingParameters } from './reading.ts'
import { type ResponseOptions, represent } from './represent.ts'
import { type AccessRule, accessFor, type ResourceOperation, type ResourceSettings } from './resource-definition.ts'
import { validate } from './validate.ts'

/** A request for a page of a collection. */
export interface ListAction<Path extends string, Filters> extends Action<Path> {
  readonly page: PageRequest
  /** Query parameters, as parsed by the schema `filters`. */
  readonly filters: Filters
}

/** Options of a list of members. */
export interface ListingOptions<Path extends string, Value, Filters> {
  /** Returns the requested page. */
  readonly list: (action: ListAction<Path, Filters>) => Page<Value> | Promise<Page<Value>>
  /**
   * Schema of the query parameters that filter the list; other parameters are ignored unless it rejects them. @default
   * none
   */
  readonly filters?: Schema<Filters> | undefined
  /** Default and maximum sizes of pages, and the maximum start index. */
  readonly page?: PageLimits | undefined
}

/**
 * GET of a collection or a store: an array of values, with adjacent pages in `Link` and the total in `X-Total-Count`.
 */
export function listOperation<Path extends string, Value, Filters>(
  path: Path,
  { list, filters, page: limits }: ListingOptions<Path, Value, Filters>,
  showing: ResponseOptions<Path, Value>,
  { access, summary }: { readonly access?: AccessRule | undefined; readonly summary?: string | undefined },
): ResourceOperation {
  return {
    method: 'GET',
    access: accessFor(access, 'read'),
    guard: 'none',
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const page = parsePage(call.query, limits)
      const narrowed = filters === undefined ? undefined : await validate(filters, filterTexts(call.query), 'query')
      // Without a schema the filters have their default type, `unknown`.
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
          description: 'A page of the members.',
          content: contentsOf(showing, true),
          headers: { ...metadataFields, ...pageFields },
        },
        { status: 304, description: 'The copy of the client is current.' },
      ],
    },
  }
}

export const pageFields: Readonly<Record<string, string>> = {
  Link: 'URLs of the first, previous, next and last page, where they exist (RFC 8288).',
  'X-Total-Count': 'The total number of members, where known.',
}

/** Converts a page to a response. */
export function showPage<Path extends string, Value>(
  found: Page<Value>,
  page: PageRequest,
  showing: ResponseOptions<Path, Value>,
  action: Action<Path>,
  site: ResourceSettings,
): Promise<Representation> {
  const cut: CutPage<Value> = cutPage(found, page)
  const { base, target } = action.request
  const headers = {
    Link: pageLinks(mountPathOf(base) + pathOf(target), action.query, page, cut),
    ...(cut.total !== undefined && { 'X-Total-Count': String(cut.total) }),
  }
  return represent({ many: cut.items }, showing, { headers, lastModified: found.lastModified }, action, site)
}

/** Query parameters that resources interpret themselves. */
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
      description: 'The maximum number of members to return.',
      schema: { type: 'integer', minimum: 1, maximum: maximumSize, default: size },
    },
    {
      name: 'pageStartIndex',
      description: 'The number of members to skip.',
      schema: { type: 'integer', minimum: 0, maximum: maximumStartIndex, default: 0 },
    },
  ]
}

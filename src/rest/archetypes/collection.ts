import { optionOutOfRange } from '../../base/errors.ts'
import { type ParentPath, parentPath } from '../paths/path-template.ts'
import type { Schema } from '../schemas/schema.ts'
import { actionOf } from './action.ts'
import { type ActionValue, toResponse } from './action-response.ts'
import { formatsOf } from './body-format.ts'
import { checkOptions, showingOptions } from './check-archetype.ts'
import { acceptsOf, type MemberOptions, memberOperations } from './document.ts'
import { type ListingOptions, listOperation, pageFields, pagingParameters, showPage } from './listing.ts'
import { type Page, type PageRequest, parsePage } from './page.ts'
import { contentsOf, representationsOf, showingParameters } from './reading.ts'
import type { Reply } from './reply.ts'
import type { ResponseOptions } from './represent.ts'
import { accessFor, type ResourceDefinition, type ResourceOperation, type ResourcePart } from './resource-definition.ts'
import { bodyOf, requestContents, type WriteAction, writing } from './writing.ts'

/** A search whose criteria do not fit into a query string. */
export interface Search<Path extends string, Value, Criteria> {
  readonly criteria: Schema<Criteria>
  readonly run: (
    action: WriteAction<Path, Criteria> & { readonly page: PageRequest },
  ) => Page<Value> | Promise<Page<Value>>
}

/** Options of `collection`. Methods without a function respond with 405. */
export interface CollectionOptions<Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown>
  extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>,
    Omit<MemberOptions<Path, Value, Body>, 'read'>,
    Partial<Pick<MemberOptions<Path, Value, Body>, 'read'>> {
  /** Handles POST to the collection. Returns `created` with the path of the new member. */
  readonly create?: ((action: WriteAction<ParentPath<Path>, Body>) => Reply<Value> | Promise<Reply<Value>>) | undefined
  /** Handles POST to `search` below the collection. */
  readonly search?: Search<ParentPath<Path>, Value, Criteria> | undefined
}

const known = [
  'list',
  'filters',
  'page',
  'create',
  'search',
  'read',
  'replace',
  'remove',
  'accepts',
  'access',
  'requirePrecondition',
  'summary',
  ...showingOptions,
] as const

/**
 * Defines resources whose URLs are chosen by the server. `path` is the template of a member, such as `orders/{order}`;
 * the collection is its parent, named by a plural noun.
 *
 * @throws RangeError for a path that does not end with a variable.
 */
export function collection<const Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown>(
  path: Path,
  options: CollectionOptions<Path, Value, Body, Filters, Criteria>,
): ResourceDefinition {
  checkOptions('collection', path, options, known)
  const { list, create, search, read, filters, page } = options
  const above = parentOf(path, 'collection')
  // Members are shown alike in lists and by themselves; callbacks receive the path of the request.
  const showing: ResponseOptions<ParentPath<Path>, Value> = options as ResponseOptions<string, Value>
  const own = [
    ...(list === undefined ? [] : [listOperation(above, { list, filters, page }, showing, options)]),
    ...(create === undefined ? [] : [createOperation(above, create, showing, options)]),
  ]
  const parts: readonly ResourcePart[] = [
    ...(own.length === 0 ? [] : [{ path: above, archetype: 'collection', operations: own } as const]),
    ...(search === undefined
      ? []
      : [
          {
            path: `${above}/search`,
            archetype: 'controller',
            operations: [searchOperation(above, search, showing, options)],
          } as const,
        ]),
    ...(read === undefined
      ? []
      : [{ path, archetype: 'document', operations: memberOperations(path, { ...options, read }) } as const]),
  ]
  return { kind: 'resource', parts }
}

/** Returns the path above a member, or throws where the path does not end with a variable. */
export function parentOf<Path extends string>(path: Path, archetype: string): ParentPath<Path> {
  if (!/^.+\/\{\w+\}$/.test(path)) {
    throw optionOutOfRange(
      `${archetype}: path: expected a path that ends with a variable, such as "orders/{order}", received "${path}"`,
    )
  }
  return parentPath(path) as ParentPath<Path>
}

function createOperation<Path extends string, Value, Body>(
  path: Path,
  create: (action: WriteAction<Path, Body>) => Reply<Value> | Promise<Reply<Value>>,
  showing: ResponseOptions<Path, Value>,
  options: Omit<MemberOptions<never, never, Body>, 'read'> | object,
): ResourceOperation {
  const formats = formatsOf<Body>(acceptsOf(options))
  return {
    method: 'POST',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const body = await bodyOf(call, formats, site)
      const answer: ActionValue<Value> = await create({ ...action, body })
      return toResponse(answer, showing, {}, action, site)
    },
    representations: representationsOf(showing),
    description: {
      query: [],
      request: requestContents(formats),
      responses: [
        {
          status: 201,
          description: 'The member was created.',
          content: contentsOf(showing),
          headers: { Location: 'The URL of the new member.' },
        },
      ],
    },
  }
}

function searchOperation<Path extends string, Value, Criteria>(
  path: Path,
  { criteria, run }: Search<Path, Value, Criteria>,
  showing: ResponseOptions<Path, Value>,
  options: Pick<CollectionOptions<string, Value>, 'access' | 'page'> | object,
): ResourceOperation {
  const formats = formatsOf(criteria)
  const { access, page: limits }: Pick<CollectionOptions<string, Value>, 'access' | 'page'> = options
  const uncached = { ...showing, caching: 'no-store' } as const
  return {
    method: 'POST',
    access: accessFor(access, 'read'),
    guard: 'none',
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const page = parsePage(call.query, limits)
      const body = await bodyOf(call, formats, site)
      return showPage(await run({ ...action, body, page }), page, uncached, action, site)
    },
    representations: representationsOf(showing),
    description: {
      query: [...pagingParameters(limits), ...showingParameters(showing)],
      request: requestContents(formats),
      responses: [
        {
          status: 200,
          description: 'A page of the results.',
          content: contentsOf(showing, true),
          headers: pageFields,
        },
      ],
    },
  }
}

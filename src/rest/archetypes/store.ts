import { invalidOption } from '../../base/errors.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { ParentPath } from '../paths/path-template.ts'
import { type Action, actionOf } from './action.ts'
import { type ActionResult, contentLocation, toResponse, unvalidated } from './action-response.ts'
import { formatsOf } from './body-format.ts'
import { checkOptions, showingOptions } from './check-archetype.ts'
import { parentOf } from './collection.ts'
import { acceptsOf, type MemberOptions, removeOperation } from './document.ts'
import { type ListingOptions, listOperation } from './listing.ts'
import { type Current, contentsOf, readOnce, readOperation, representationsOf, valueNow } from './reading.ts'
import { isReply } from './reply.ts'
import type { ResponseOptions } from './represent.ts'
import type { ResourceDefinition, ResourceOperation, ResourcePart } from './resource-definition.ts'
import { validate } from './validate.ts'
import { bodyOf, type ChangeAction, ownAddress, requestContents, writing } from './writing.ts'

/** Options of `store`. Methods without a function respond with 405. */
export interface StoreOptions<Path extends string, Value, Body = Value, Filters = unknown>
  extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>,
    Omit<MemberOptions<Path, Value, Body>, 'replace'> {
  /**
   * Handles PUT: an insert (201) where `current` is `undefined`, otherwise an update (200 with a value, else 204). An
   * update without a precondition is rejected with 409.
   */
  readonly put?:
    | ((action: ChangeAction<Path, Value | undefined, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>)
    | undefined
  /** Handles DELETE of the empty store: 204; 409 while it has members. Requires `list`. */
  readonly drop?: ((action: Action<ParentPath<Path>>) => void | Promise<void>) | undefined
}

const known = [
  'list',
  'filters',
  'page',
  'read',
  'put',
  'remove',
  'drop',
  'accepts',
  'access',
  'requirePrecondition',
  'summary',
  ...showingOptions,
] as const

/**
 * Defines resources whose URLs are chosen by the client. `path` is the template of a member, such as `settings/{name}`;
 * the store is its parent, named by a plural noun.
 *
 * @throws RangeError for a path that does not end with a variable; TypeError for `drop` without `list`.
 */
export function store<const Path extends string, Value, Body = Value, Filters = unknown>(
  path: Path,
  options: StoreOptions<Path, Value, Body, Filters>,
): ResourceDefinition {
  checkOptions('store', path, options, known)
  const { list, filters, page, put, remove, drop } = options
  const above = parentOf(path, 'store')
  if (drop !== undefined && list === undefined) {
    throw invalidOption(`store ${path}: drop: expected list as well, to check that the store is empty`)
  }
  // Members are shown alike in lists and by themselves; callbacks receive the path of the request.
  const showing: ResponseOptions<ParentPath<Path>, Value> = options as ResponseOptions<string, Value>
  const listing = list === undefined ? undefined : { list, filters, page }
  const current = readOnce(path, options.read)
  const own = [
    ...(listing === undefined ? [] : [listOperation(above, listing, showing, options)]),
    ...(drop === undefined || listing === undefined ? [] : [dropOperation(above, drop, listing, options)]),
  ]
  const parts: readonly ResourcePart[] = [
    ...(own.length === 0 ? [] : [{ path: above, archetype: 'store', operations: own } as const]),
    {
      path,
      archetype: 'document',
      operations: [
        readOperation(path, current, options, options),
        ...(put === undefined ? [] : [putOperation(path, current, options, put)]),
        ...(remove === undefined ? [] : [removeOperation(path, current, options, remove)]),
      ],
    },
  ]
  return { kind: 'resource', parts }
}

function putOperation<Path extends string, Value, Body>(
  path: Path,
  current: Current<Value>,
  options: Omit<MemberOptions<Path, Value, Body>, 'replace'>,
  put: NonNullable<StoreOptions<Path, Value, Body>['put']>,
): ResourceOperation {
  const formats = formatsOf<Body>(acceptsOf(options))
  const { access, guard } = writing(options)
  return {
    method: 'PUT',
    access,
    guard: guard === 'none' ? 'occupied' : guard,
    inserts: true,
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const value = await valueNow(current, call, site)
      const body = await bodyOf(call, formats, site)
      const answer = await put({ ...action, body, current: value })
      const at = ownAddress(action)
      const content =
        answer === undefined || isReply(answer) ? {} : { 'Content-Location': contentLocation(at, action.query) }
      const usual = value === undefined ? { status: 201, headers: { ...content, Location: at } } : { headers: content }
      return toResponse(answer, { ...options, ...unvalidated }, usual, action, site)
    },
    representations: representationsOf(options),
    description: {
      query: [],
      request: requestContents(formats),
      responses: [
        { status: 200, description: 'The member was updated.', content: contentsOf(options) },
        {
          status: 201,
          description: 'The member was inserted.',
          content: contentsOf(options),
          headers: { Location: 'The URL of the new member.' },
        },
        { status: 204, description: 'The member was updated.' },
        { status: 409, description: 'The resource already exists; send a precondition to update it.' },
      ],
    },
  }
}

function dropOperation<Path extends string, Value, Filters>(
  path: Path,
  drop: (action: Action<Path>) => void | Promise<void>,
  { list, filters }: ListingOptions<Path, Value, Filters>,
  options: object,
): ResourceOperation {
  return {
    method: 'DELETE',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      // `drop` checks for any member, so there are no filters.
      const none = filters === undefined ? (undefined as Filters) : await validate(filters, {}, 'query')
      const { items } = await list({ ...action, page: { size: 1, startIndex: 0 }, filters: none })
      if (items.length > 0) throw new HttpError(409, 'The store is not empty.')
      await drop(action)
      return undefined
    },
    representations: [],
    description: {
      query: [],
      request: [],
      responses: [
        { status: 204, description: 'The store was deleted.' },
        { status: 409, description: 'The store is not empty.' },
      ],
    },
  }
}

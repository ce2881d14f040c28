import { HttpError } from '../../http/errors/http-error.ts'
import type { ParentPath } from '../paths/path-template.ts'
import { type Action, actionOf } from './action.ts'
import { answerReply, type Done } from './answer-reply.ts'
import { formatsOf } from './body-format.ts'
import { checkOptions, showingOptions } from './check-options.ts'
import { parentOf } from './collection.ts'
import { contentLocation, unvalidated } from './content-location.ts'
import { type Listing, listOperation } from './listing.ts'
import { acceptsOf, type MemberOptions, removeOperation } from './member.ts'
import type { Operation, Part, ResourceDefinition } from './part.ts'
import { type Current, contentsOf, readOnce, readOperation, representationsOf, valueNow } from './reading.ts'
import { isReply } from './reply.ts'
import type { Showing } from './represent.ts'
import { validate } from './validate.ts'
import { bodyOf, type ChangeAction, ownAddress, requestContents, writing } from './writing.ts'

/** What a store and its members can do. What it is given, it can. */
export interface StoreOptions<Path extends string, Value, Body = Value, Filters = unknown>
  extends Partial<Listing<ParentPath<Path>, Value, Filters>>,
    Omit<MemberOptions<Path, Value, Body>, 'replace'> {
  /**
   * Answers PUT: an insert where `current` is undefined, 201; else an update, 200 with a value, 204 without. An update
   * without a precondition is refused with 409.
   */
  readonly put?:
    | ((action: ChangeAction<Path, Value | undefined, Body>) => Done<Value> | Promise<Done<Value>>)
    | undefined
  /** Answers DELETE of the whole store, once it is empty: 204; else 409. Needs `list`, which tells whether it is. */
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
]

/**
 * Resources whose addresses the client chooses. `path` is the template of a member, such as `settings/{name}`; the store is
 * above it, named by a plural noun.
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
    throw new TypeError(`store ${path}: drop needs list, which tells whether the store is empty`)
  }
  // What shows a member shows it in a list too; the path that its functions are told is the one that was asked for.
  const showing: Showing<ParentPath<Path>, Value> = options as Showing<string, Value>
  const listing = list === undefined ? undefined : { list, filters, page }
  const current = readOnce(path, options.read)
  const own = [
    ...(listing === undefined ? [] : [listOperation(above, listing, showing, options)]),
    ...(drop === undefined || listing === undefined ? [] : [dropOperation(above, drop, listing, options)]),
  ]
  const parts: readonly Part[] = [
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
): Operation {
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
      return answerReply(answer, { ...options, ...unvalidated }, usual, action, site)
    },
    representations: representationsOf(options),
    description: {
      query: [],
      request: requestContents(formats),
      responses: [
        { status: 200, description: 'It was updated.', content: contentsOf(options) },
        {
          status: 201,
          description: 'It was inserted.',
          content: contentsOf(options),
          headers: { Location: 'Where it is.' },
        },
        { status: 204, description: 'It was updated.' },
        { status: 409, description: 'There is something at this address already, and no precondition.' },
      ],
    },
  }
}

function dropOperation<Path extends string, Value, Filters>(
  path: Path,
  drop: (action: Action<Path>) => void | Promise<void>,
  { list, filters }: Listing<Path, Value, Filters>,
  options: object,
): Operation {
  return {
    method: 'DELETE',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      // Nothing narrows what is asked for here; without a schema there are no filters.
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
        { status: 204, description: 'It is gone.' },
        { status: 409, description: 'The store is not empty.' },
      ],
    },
  }
}

import { HttpError } from '../../http/errors/http-error.ts'
import { actionOf } from './action.ts'
import { type ActionResult, contentLocation, toResponse, unvalidated } from './action-response.ts'
import { type Accepts, formatsOf } from './body-format.ts'
import { checkOptions, showingOptions } from './check-archetype.ts'
import { type Current, contentsOf, type ReadResource, readOnce, readOperation, representationsOf } from './reading.ts'
import type { ResponseOptions } from './represent.ts'
import type { AccessRule, ResourceDefinition, ResourceOperation } from './resource-definition.ts'
import { bodyOf, type ChangeAction, demandValue, ownAddress, requestContents, writing } from './writing.ts'

/** Options of a single resource. Methods without a function respond with 405. */
export interface MemberOptions<Path extends string, Value, Body = Value> extends ResponseOptions<Path, Value> {
  /** Who may call it. @default 'public' */
  readonly access?: AccessRule | undefined
  /** Handles GET and HEAD. Preconditions are evaluated against its result. */
  readonly read: ReadResource<Path, Value>
  /** Accepted request bodies. @default the representation, or any JSON */
  readonly accepts?: Accepts<Body> | undefined
  /** Handles PUT of an existing resource. A value is sent with 200, no value with 204. */
  readonly replace?:
    | ((action: ChangeAction<Path, Value, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>)
    | undefined
  /** Handles DELETE of an existing resource: 204, or 200 with a value; 404 for `false`. */
  readonly remove?:
    | ((
        action: ChangeAction<Path, Value, undefined>,
      ) => boolean | ActionResult<never> | Promise<boolean | ActionResult<never>>)
    | undefined
  /** Whether PUT and DELETE without a precondition are rejected with 428. @default false */
  readonly requirePrecondition?: boolean | undefined
  /** One sentence for the OpenAPI document. @default derived from the path */
  readonly summary?: string | undefined
}

/** Options of `document`. */
export type DocumentOptions<Path extends string, Value, Body = Value> = MemberOptions<Path, Value, Body>

const known = [
  'read',
  'replace',
  'remove',
  'accepts',
  'access',
  'requirePrecondition',
  'summary',
  ...showingOptions,
] as const

/** Defines a single resource, named by a singular noun: GET, PUT by `replace`, DELETE by `remove`. */
export function document<const Path extends string, Value, Body = Value>(
  path: Path,
  options: DocumentOptions<Path, Value, Body>,
): ResourceDefinition {
  checkOptions('document', path, options, known)
  return { kind: 'resource', parts: [{ path, archetype: 'document', operations: memberOperations(path, options) }] }
}

/** GET, and PUT and DELETE where they have a function. */
export function memberOperations<Path extends string, Value, Body>(
  path: Path,
  options: MemberOptions<Path, Value, Body>,
): readonly ResourceOperation[] {
  const current = readOnce(path, options.read)
  return [
    readOperation(path, current, options, options),
    ...(options.replace === undefined ? [] : [replaceOperation(path, current, options, options.replace)]),
    ...(options.remove === undefined ? [] : [removeOperation(path, current, options, options.remove)]),
  ]
}

function replaceOperation<Path extends string, Value, Body>(
  path: Path,
  current: Current<Value>,
  options: MemberOptions<Path, Value, Body>,
  replace: NonNullable<MemberOptions<Path, Value, Body>['replace']>,
): ResourceOperation {
  const formats = formatsOf<Body>(acceptsOf(options))
  return {
    method: 'PUT',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const value = await demandValue(current, call, site)
      const body = await bodyOf(call, formats, site)
      // Defined: a missing value has been rejected with 404.
      const answer = await replace({ ...action, body, current: value as Value })
      const headers = { 'Content-Location': contentLocation(ownAddress(action), action.query) }
      const isValue = answer !== undefined
      return toResponse(answer, { ...options, ...unvalidated }, isValue ? { headers } : {}, action, site)
    },
    representations: representationsOf(options),
    description: {
      summary: options.summary,
      query: [],
      request: requestContents(formats),
      responses: [
        { status: 200, description: 'The resource was replaced.', content: contentsOf(options) },
        { status: 204, description: 'The resource was replaced.' },
      ],
    },
  }
}

export function removeOperation<Path extends string, Value, Body>(
  path: Path,
  current: Current<Value>,
  options: MemberOptions<Path, Value, Body>,
  remove: NonNullable<MemberOptions<Path, Value, Body>['remove']>,
): ResourceOperation {
  return {
    method: 'DELETE',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const value = await demandValue(current, call, site)
      const answer = await remove({ ...action, body: undefined, current: value as Value })
      if (answer === false) throw new HttpError(404, 'Resource not found.')
      return answer === true ? undefined : toResponse(answer, unvalidated, {}, action, site)
    },
    representations: [],
    description: {
      summary: options.summary,
      query: [],
      request: [],
      responses: [{ status: 204, description: 'The resource was deleted.' }],
    },
  }
}

/** Returns the accepted request bodies; the representation of responses by default. */
export function acceptsOf<Body>(options: {
  readonly accepts?: unknown
  readonly representation?: unknown
}): Accepts<Body> {
  // Without `accepts` the type of bodies is that of the values.
  return (options.accepts ?? options.representation ?? anyJson) as Accepts<Body>
}

const anyJson: Accepts<unknown> = {
  '~standard': { version: 1, vendor: 'upkeep', validate: (value) => ({ value }) },
}

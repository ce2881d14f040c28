import { mountPathOf, pathOf } from '../../http/conventions/target.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import type { DescribedContent } from '../openapi/operation.ts'
import type { Action } from './action.ts'
import { type BodyFormat, readFormatted } from './body-format.ts'
import { type Current, valueNow } from './reading.ts'
import { type AccessRule, accessFor, type ResourceOperation, type ResourceSettings } from './resource-definition.ts'

/** A request with a body. */
export interface WriteAction<Path extends string, Body> extends Action<Path> {
  readonly body: Body
}

/** A request that changes an existing resource. */
export interface ChangeAction<Path extends string, Value, Body> extends WriteAction<Path, Body> {
  /**
   * The current value, which satisfies the preconditions of the client. Change the store only if it still holds this
   * value, since another request may intervene.
   */
  readonly current: Value
}

/** Options of operations that write. */
interface Writing {
  readonly access?: AccessRule | undefined
  /** Whether a change without a precondition is rejected with 428. @default false */
  readonly requirePrecondition?: boolean | undefined
  readonly summary?: string | undefined
}

export function writing({ access, requirePrecondition = false }: Writing): Pick<ResourceOperation, 'access' | 'guard'> {
  return { access: accessFor(access, 'write'), guard: requirePrecondition ? 'always' : 'none' }
}

/** Reads the body of a request, where the action accepts one. */
export function bodyOf<Body>(
  { request }: Call,
  formats: readonly BodyFormat<Body>[] | undefined,
  site: ResourceSettings,
): Promise<Body> {
  // Without accepted bodies the body is `undefined` and has its default type, `unknown`.
  return formats === undefined ? Promise.resolve(undefined as Body) : readFormatted(request, formats, site)
}

/** @throws HttpError 404 when the resource does not exist. */
export async function demandValue<Value>(
  current: Current<Value> | undefined,
  call: Call,
  site: ResourceSettings,
): Promise<Value | undefined> {
  if (current === undefined) return undefined
  const value = await valueNow(current, call, site)
  if (value === undefined) throw new HttpError(404, 'Resource not found.')
  return value
}

/** Returns the target of a request without its query. */
export function ownAddress({ request }: Pick<Action, 'request'>): string {
  return mountPathOf(request.base) + pathOf(request.target)
}

export function requestContents(formats: readonly BodyFormat<unknown>[] | undefined): readonly DescribedContent[] {
  return (formats ?? []).flatMap(({ mediaTypes, schema, schemaName }) =>
    mediaTypes.map((mediaType) => ({ mediaType, schema, name: schemaName && `${schemaName}-request` })),
  )
}

import { mountPathOf, pathOf } from '../../http/conventions/target.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import type { DescribedContent } from '../openapi/operation.ts'
import type { Action } from './action.ts'
import { type BodyFormat, readFormatted } from './body-format.ts'
import { type AccessRule, accessFor, type Operation } from './part.ts'
import { type Current, valueNow } from './reading.ts'
import type { Site } from './site.ts'

/** A request that brings something. */
export interface WriteAction<Path extends string, Body> extends Action<Path> {
  readonly body: Body
}

/** A request that changes what is there. */
export interface ChangeAction<Path extends string, Value, Body> extends WriteAction<Path, Body> {
  /**
   * What is there now, whose version the client has named if it named one: change it in the store only where it is still
   * the same, since another request may come between.
   */
  readonly current: Value
}

/** What is said of every operation that writes. */
export interface Writing {
  readonly access?: AccessRule | undefined
  /** Whether a change without a precondition is refused with 428. @default false */
  readonly requirePrecondition?: boolean | undefined
  readonly summary?: string | undefined
}

export function writing({ access, requirePrecondition = false }: Writing): Pick<Operation, 'access' | 'guard'> {
  return { access: accessFor(access, 'write'), guard: requirePrecondition ? 'always' : 'none' }
}

/** The body of a request, where its action takes one. */
export function bodyOf<Body>(
  { request }: Call,
  formats: readonly BodyFormat<Body>[] | undefined,
  site: Site,
): Promise<Body> {
  // What takes no body has the unknown type for one, and nothing in it.
  return formats === undefined ? Promise.resolve(undefined as Body) : readFormatted(request, formats, site)
}

/** @throws HttpError 404 where there is nothing to change. */
export async function demandValue<Value>(
  current: Current<Value> | undefined,
  call: Call,
  site: Site,
): Promise<Value | undefined> {
  if (current === undefined) return undefined
  const value = await valueNow(current, call, site)
  if (value === undefined) throw new HttpError(404, 'Resource not found.')
  return value
}

/** The address that a request was sent to, without its query. */
export function ownAddress({ request }: Pick<Action, 'request'>): string {
  return mountPathOf(request.base) + pathOf(request.target)
}

export function requestContents(formats: readonly BodyFormat<unknown>[] | undefined): readonly DescribedContent[] {
  return (formats ?? []).flatMap(({ mediaTypes, schema, schemaName }) =>
    mediaTypes.map((mediaType) => ({ mediaType, schema, name: schemaName && `${schemaName}-request` })),
  )
}

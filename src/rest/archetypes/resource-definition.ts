import type { Access } from '../../http/authorize.ts'
import type { Call, HandlerResult, PreconditionPolicy } from '../../http/resource.ts'
import type { DescribedOperation } from '../openapi/operation.ts'
import type { Archetype } from '../paths/check-path.ts'
import type { DescribedRepresentation } from '../schemas/described-representation.ts'

/** The definition of one or more resources, returned by an archetype and passed to `createResources`. */
export interface ResourceDefinition {
  readonly kind: 'resource'
  readonly parts: readonly ResourcePart[]
}

/** One path or path template of a definition. */
export interface ResourcePart {
  readonly path: string
  readonly archetype: Archetype
  readonly operations: readonly ResourceOperation[]
}

/** One method of a path. */
export interface ResourceOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly access: Access
  readonly guard: PreconditionPolicy
  /** Whether PUT creates missing resources. @default false */
  readonly inserts?: boolean | undefined
  readonly perform: (call: Call, site: ResourceSettings) => Promise<HandlerResult>
  /** What is shown or taken, whose schemas are published. */
  readonly representations: readonly DescribedRepresentation[]
  readonly description: Pick<DescribedOperation, 'summary' | 'query' | 'filters' | 'request' | 'responses'>
}

/** Settings that all resources of one service share. */
export interface ResourceSettings {
  /** `/`, or a path without a trailing slash. */
  readonly basePath: string
  /** Path of the relation documents below the base path. */
  readonly relationsPath: string
  /** Path of the schema documents below the base path. */
  readonly schemasPath: string
  /** Declared relations, each with a document. */
  readonly relations: ReadonlySet<string>
  readonly limitBytes: number
  readonly maxDepth: number
}

/**
 * Who may call: everyone, authenticated callers, or callers with a role; the same for all methods, or for reads and
 * writes separately.
 */
export type AccessRule = Access | { readonly read?: Access | undefined; readonly write?: Access | undefined }

export function accessFor(rule: AccessRule | undefined, side: 'read' | 'write'): Access {
  return (typeof rule === 'object' && !('roles' in rule) ? rule[side] : rule) ?? 'public'
}

import type { Access } from '../../http/authorize.ts'
import type { Call, Guard, HandlerResult } from '../../http/resource.ts'
import type { DescribedOperation } from '../openapi/operation.ts'
import type { Archetype } from '../paths/check-path.ts'
import type { DescribedRepresentation } from '../schemas/representation.ts'
import type { Site } from './site.ts'

/** What one or more addresses can do, as its archetype makes it. Handed to `createResources`. */
export interface ResourceDefinition {
  readonly kind: 'resource'
  readonly parts: readonly Part[]
}

/** One address, or one template of addresses. */
export interface Part {
  readonly path: string
  readonly archetype: Archetype
  readonly operations: readonly Operation[]
}

/** One method of it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly access: Access
  readonly guard: Guard
  /** Whether PUT creates what is not there. @default false */
  readonly inserts?: boolean | undefined
  readonly perform: (call: Call, site: Site) => Promise<HandlerResult>
  /** What is shown or taken, whose schemas are published. */
  readonly representations: readonly DescribedRepresentation[]
  readonly description: Pick<DescribedOperation, 'summary' | 'query' | 'filters' | 'request' | 'responses'>
}

/** Who may call: everybody, who is known, who has a role; or one for reading and another for writing. */
export type AccessRule = Access | { readonly read?: Access | undefined; readonly write?: Access | undefined }

export function accessFor(rule: AccessRule | undefined, side: 'read' | 'write'): Access {
  return (typeof rule === 'object' && !('roles' in rule) ? rule[side] : rule) ?? 'public'
}

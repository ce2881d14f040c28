import { checkOptions, showingOptions } from './check-archetype.ts'
import { type MemberOptions, memberOperations } from './member.ts'
import type { ResourceDefinition } from './part.ts'

/** Options of `document`. */
export type DocumentOptions<Path extends string, Value, Body = Value> = MemberOptions<Path, Value, Body>

const known = ['read', 'replace', 'remove', 'accepts', 'access', 'requirePrecondition', 'summary', ...showingOptions]

/** Defines a single resource, named by a singular noun: GET, PUT by `replace`, DELETE by `remove`. */
export function document<const Path extends string, Value, Body = Value>(
  path: Path,
  options: DocumentOptions<Path, Value, Body>,
): ResourceDefinition {
  checkOptions('document', path, options, known)
  return { kind: 'resource', parts: [{ path, archetype: 'document', operations: memberOperations(path, options) }] }
}

import type { DescribedOperation } from './openapi/operation.ts'
import type { Address } from './resource-routes.ts'

/** Describes the operations of all addresses. */
export function describeResources(addresses: readonly Address[], basePath: string): readonly DescribedOperation[] {
  const root = basePath === '/' ? '' : basePath
  return addresses.flatMap(({ path, archetype, operations }) =>
    operations.map(
      ({ method, access, guard, description }): DescribedOperation => ({
        ...description,
        summary: description.summary ?? summaryOf(method, archetype, path),
        path: `${root}/${path}`,
        method,
        archetype,
        authorized: access !== 'public',
        isConditional: (method === 'PUT' || method === 'DELETE') && (guard !== 'none' || hasRead(operations)),
      }),
    ),
  )
}

/** Returns the default summary of an operation. */
function summaryOf(method: string, archetype: Address['archetype'], path: string): string {
  const segments = path.split('/').map((segment) => segment.replace(/^\{(.+)\}$/, '$1').replaceAll('-', ' '))
  const [above = '', name = ''] = segments.length === 1 ? ['', ...segments] : segments.slice(-2)
  if (archetype === 'controller') return name === 'search' ? `Searches ${above}.` : `Runs ${name} of ${above}.`
  const isList = archetype === 'collection' || archetype === 'store'
  switch (method) {
    case 'GET':
      return isList ? `Lists ${name}.` : `Returns the ${name}.`
    case 'POST':
      return `Creates a member of ${name}.`
    case 'PUT':
      return `Stores the ${name}.`
    default:
      return isList ? `Removes ${name}, once empty.` : `Removes the ${name}.`
  }
}

function hasRead(operations: Address['operations']): boolean {
  return operations.some(({ method }) => method === 'GET')
}

import type { DescribedOperation } from '../openapi/operation.ts'
import type { Address } from './resource-routes.ts'

/** What can be done at addresses, as a description of the service tells it. */
export function describeResources(addresses: readonly Address[], basePath: string): readonly DescribedOperation[] {
  const root = basePath === '/' ? '' : basePath
  return addresses.flatMap(({ path, archetype, operations }) =>
    operations.map(
      ({ method, access, guard, description }): DescribedOperation => ({
        ...description,
        path: `${root}/${path}`,
        method,
        archetype,
        authorized: access !== 'public',
        isConditional: (method === 'PUT' || method === 'DELETE') && (guard !== 'none' || hasRead(operations)),
      }),
    ),
  )
}

function hasRead(operations: Address['operations']): boolean {
  return operations.some(({ method }) => method === 'GET')
}

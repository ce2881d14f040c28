import { type Authorize, accessOf } from '../http/authorize.ts'
import { methodsOf } from '../http/conventions/methods.ts'
import type { DescribedOperation } from '../rest/openapi/operation.ts'
import { wholePath } from './paths/path-conflicts.ts'
import type { PlacedEndpoint } from './paths/place-endpoints.ts'

/**
 * Returns the operations of exposed endpoints for an OpenAPI description. An operation that its endpoint does not
 * describe is listed with its path and its method.
 */
export function describeOperations(
  endpoints: readonly PlacedEndpoint[],
  root: string,
  authorize: Authorize | undefined,
): readonly DescribedOperation[] {
  const scheme = authorize?.challenge?.split(' ')[0]?.toLowerCase()
  return endpoints.flatMap(({ id, routes, describe }) => {
    const descriptions = describe?.() ?? {}
    return routes.flatMap(({ path, template, resource }) =>
      methodsOf(resource).map((method): DescribedOperation => {
        const { summary = `${method} of the endpoint ${id}.`, ...described } = descriptions[template]?.[method] ?? {}
        return {
          query: [],
          request: [],
          responses: [{ status: method === 'GET' ? 200 : 204, description: summary }],
          ...described,
          summary,
          path: wholePath(root, path).replace('{*', '{'),
          method,
          authorized: accessOf(resource.access, method) !== 'public',
          scheme,
          isConditional: false,
        }
      }),
    )
  })
}

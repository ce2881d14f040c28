import { type Authorize, accessOf } from '../http/authorize.ts'
import { methodsOf } from '../http/conventions/methods.ts'
import type { DescribedOperation } from '../rest/openapi/operation.ts'
import type { Endpoint } from './endpoints/endpoint.ts'

/**
 * Returns the operations of exposed endpoints for an OpenAPI description. An operation that its endpoint does not
 * describe is listed with its path and its method.
 */
export function describeOperations(
  endpoints: readonly Endpoint[],
  root: string,
  authorize: Authorize | undefined,
): readonly DescribedOperation[] {
  const scheme = authorize?.challenge?.split(' ')[0]?.toLowerCase()
  return endpoints.flatMap(({ id, routes, describe }) => {
    const descriptions = describe?.() ?? {}
    return routes.flatMap(({ path, resource }) =>
      methodsOf(resource).map((method): DescribedOperation => {
        const { summary = `${method} of the endpoint ${id}.`, ...described } = descriptions[path]?.[method] ?? {}
        return {
          query: [],
          request: [],
          responses: [{ status: method === 'GET' ? 200 : 204, description: summary }],
          ...described,
          summary,
          path: (path === '' ? root : `${root}/${path}`).replace('{*', '{'),
          method,
          authorized: accessOf(resource.access, method) !== 'public',
          scheme,
          isConditional: false,
        }
      }),
    )
  })
}

import { thenNow } from '../../base/maybe-promise.ts'
import { type Authorize, authorizeCaller } from '../../http/authorize.ts'
import { acceptOf, preferredMediaType } from '../../http/conventions/negotiate.ts'
import { pathOf } from '../../http/conventions/target.ts'
import { isEmptyResponse, type Offer } from '../../http/representation.ts'
import type { Call, Resource } from '../../http/resource.ts'
import type { LinksOf } from '../paths/endpoint-links.ts'
import type { PlacedEndpoint } from '../paths/place-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json, objectSchema } from './json-representation.ts'

/** The page at the base path: links to the exposed endpoints, in the format of Spring Boot Actuator. */
export function discoveryEndpoint(linksOf: LinksOf): Endpoint {
  const get = ({ request: { base } }: Call) => {
    const { self, links } = linksOf(base)
    return json({ _links: { self, ...Object.fromEntries(links) } }, { maxAgeSeconds: 60 })
  }
  const summary = 'Links to the endpoints.'
  const content = describeJson(objectSchema({ _links: { type: 'object' } }))
  return {
    id: '*',
    routes: [{ path: '', resource: { access: 'public', get } }],
    describe: () => ({ '': { GET: { summary, responses: [{ status: 200, description: summary, content }] } } }),
  }
}

/**
 * Returns the discovery endpoint with the page of an endpoint that has one, for clients that prefer HTML. The page is
 * public, also where the links are not.
 */
export function withIndexPage(
  discovery: Endpoint,
  endpoints: readonly PlacedEndpoint[],
  authorize: Authorize | undefined,
): Endpoint {
  const page = endpoints.find(({ indexPage }) => indexPage !== undefined)
  const [route] = discovery.routes
  if (page?.indexPage === undefined || route?.resource.get === undefined) return discovery
  const { indexPage } = page
  const { access, get } = route.resource
  const getEither: Resource['get'] = (call) => {
    const { request, query } = call
    const html = indexPage(pathFrom(pathOf(request.target), page.routes[0]?.path ?? ''))
    return thenNow(get(call), (index) => {
      if (index === undefined || isEmptyResponse(index)) return index
      const offers: readonly [Offer, ...Offer[]] = [...index.offers, html]
      const types = offers.map(({ mediaType }) => mediaType)
      if (preferredMediaType(acceptOf(request.headers, query), types) === html.mediaType) return { ...index, offers }
      const caching = access === 'public' ? index.caching : 'no-store'
      return thenNow(authorizeCaller(request, access, authorize), () => ({ ...index, offers, caching }))
    })
  }
  return { ...discovery, routes: [{ ...route, resource: { ...route.resource, access: 'public', get: getEither } }] }
}

/** Returns the path of a route relative to the page at `path`, or that at the root of the server. */
function pathFrom(path: string, route: string): string {
  if (route.startsWith('/')) return route
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' ? route : `${last}/${route}`
}

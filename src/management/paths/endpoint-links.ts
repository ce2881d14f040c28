import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { PlacedEndpoint } from './place-endpoints.ts'

/** A link to a resource, in the format of Spring Boot Actuator. */
interface EndpointLink {
  readonly href: string
  readonly templated: boolean
}

/** The links to the resources of a management. */
interface EndpointLinks {
  /** The base path itself. */
  readonly self: EndpointLink
  readonly links: readonly (readonly [name: string, link: EndpointLink])[]
}

/** Returns the links by the `base` of a request, which may be a mount path without an origin. */
export type LinksOf = (base: string) => EndpointLinks

/** Creates the links to the routes of endpoints where they are served. */
export function createLinks(basePath: string, endpoints: readonly PlacedEndpoint[]): LinksOf {
  const routes = endpoints.flatMap(({ routes, linkedPaths }) =>
    routes.filter(({ template }) => linkedPaths === undefined || linkedPaths.includes(template)),
  )
  const named = routes.map(({ path, template, alias }) => [linkName(alias ?? template), path] as const)
  return (base) => {
    const mountPath = mountPathOf(base)
    const root = base + rootBelow(mountPath, basePath)
    const origin = base.slice(0, base.length - mountPath.length)
    const links = named.map(([name, path]) => {
      const href = path.startsWith('/') ? origin + path : `${root}/${path}`
      return [name, { href, templated: path.includes('{') }] as const
    })
    return { self: { href: root, templated: false }, links }
  }
}

/** `metrics/{requiredMetricName}` is linked as `metrics-requiredMetricName`. */
function linkName(path: string): string {
  return path.replaceAll(/[{}*]/g, '').replaceAll('/', '-')
}

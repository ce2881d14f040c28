import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { Call, Resource } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { Endpoint } from './endpoint.ts'
import { json } from './json.ts'

/** The page at the base path: links to what is exposed, in Spring Boot Actuator's shape. */
export function discoveryRoute(basePath: string, endpoints: readonly Endpoint[]): Route {
  const links = [
    ['self', ''] as const,
    ...endpoints.flatMap(({ routes }) => routes.map(({ link, path }) => [link, `/${path}`] as const)),
  ]
  const get: Resource['get'] = ({ request: { base } }: Call) => {
    const root = base + rootBelow(mountPathOf(base), basePath)
    const entries = links.map(([name, path]) => [name, { href: root + path, templated: path.includes('{') }])
    return json({ _links: Object.fromEntries(entries) }, { maxAgeSeconds: 60 })
  }
  return { path: '', resource: { get } }
}

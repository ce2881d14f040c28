import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { Call } from '../../http/resource.ts'
import type { PlacedEndpoint } from '../paths/place-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json, objectSchema } from './json-representation.ts'

/** The page at the base path: links to the exposed endpoints, in the format of Spring Boot Actuator. */
export function discoveryEndpoint(basePath: string, endpoints: readonly PlacedEndpoint[]): Endpoint {
  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  const links = routes.map(({ path, template, alias }) => [linkName(alias ?? template), path] as const)
  const get = ({ request: { base } }: Call) => {
    const mountPath = mountPathOf(base)
    const root = base + rootBelow(mountPath, basePath)
    const origin = base.slice(0, base.length - mountPath.length)
    const entries = links.map(([name, path]) => {
      const href = path.startsWith('/') ? origin + path : `${root}/${path}`
      return [name, { href, templated: path.includes('{') }]
    })
    const self = { href: root, templated: false }
    return json({ _links: { self, ...Object.fromEntries(entries) } }, { maxAgeSeconds: 60 })
  }
  const summary = 'Links to the endpoints.'
  const content = describeJson(objectSchema({ _links: { type: 'object' } }))
  return {
    id: '*',
    routes: [{ path: '', resource: { access: 'public', get } }],
    describe: () => ({ '': { GET: { summary, responses: [{ status: 200, description: summary, content }] } } }),
  }
}

/** `metrics/{requiredMetricName}` is linked as `metrics-requiredMetricName`. */
function linkName(path: string): string {
  return path.replaceAll(/[{}*]/g, '').replaceAll('/', '-')
}

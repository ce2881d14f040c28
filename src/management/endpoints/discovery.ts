import { mountPathOf, rootBelow } from '../../http/conventions/target.ts'
import type { Call } from '../../http/resource.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json, objectSchema } from './json-representation.ts'

/** The page at the base path: links to the exposed endpoints, in the format of Spring Boot Actuator. */
export function discoveryEndpoint(basePath: string, endpoints: readonly Endpoint[]): Endpoint {
  const paths = endpoints.flatMap(({ routes }) => routes.map(({ path }) => path))
  const links = [['self', ''] as const, ...paths.map((path) => [linkName(path), `/${path}`] as const)]
  const get = ({ request: { base } }: Call) => {
    const root = base + rootBelow(mountPathOf(base), basePath)
    const entries = links.map(([name, path]) => [name, { href: root + path, templated: path.includes('{') }])
    return json({ _links: Object.fromEntries(entries) }, { maxAgeSeconds: 60 })
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

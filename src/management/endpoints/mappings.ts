import type { AppRoute } from '../../rest/paths/app-route.ts'
import type { ReadableMappings } from '../mappings/mappings.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/** `mappings`: the routes of the application by framework, read when they are requested. */
export function mappingsEndpoint(mappings: ReadableMappings, application = 'application'): Endpoint {
  const get = () => {
    const byFramework = [...mappings.read()].map(([name, routes]) => [
      name,
      routes.map((each) => showRoute(each, name)),
    ])
    const dispatcherServlets = Object.fromEntries(byFramework)
    const context = { mappings: { dispatcherServlets, servletFilters: [], servlets: [] } }
    return json({ contexts: { [application]: context } }, 'no-cache')
  }
  return { id: 'mappings', routes: [{ path: 'mappings', resource: { access: 'authorized', get } }], describe }
}

/** Returns a route in the form of Spring Boot; consoles read the length of each of the conditions. */
function showRoute({ method, path, handler, archetype }: AppRoute, framework: string) {
  const name = handler || archetype || 'anonymous'
  return {
    handler: name,
    predicate: method === '*' ? `{[${path}]}` : `{${method} [${path}]}`,
    details: {
      handlerMethod: { className: framework, descriptor: '', name },
      requestMappingConditions: {
        consumes: [],
        headers: [],
        methods: method === '*' ? [] : [method],
        params: [],
        patterns: [path],
        produces: [],
      },
    },
  }
}

function describe(): EndpointDescription {
  const strings = listSchema(stringSchema)
  const conditions = objectSchema({
    consumes: listSchema({ type: 'object' }),
    headers: strings,
    methods: strings,
    params: strings,
    patterns: strings,
    produces: listSchema({ type: 'object' }),
  })
  const handlerMethod = objectSchema({ className: stringSchema, descriptor: stringSchema, name: stringSchema })
  const details = objectSchema({ handlerMethod, requestMappingConditions: conditions })
  const mapping = objectSchema({ handler: stringSchema, predicate: stringSchema, details })
  const context = objectSchema({
    mappings: objectSchema({
      dispatcherServlets: { type: 'object', additionalProperties: listSchema(mapping) },
      servletFilters: listSchema({ type: 'object' }),
      servlets: listSchema({ type: 'object' }),
    }),
  })
  const summary = 'The routes of the application.'
  const content = describeJson(objectSchema({ contexts: { type: 'object', additionalProperties: context } }))
  return { mappings: { GET: { summary, responses: [{ status: 200, description: summary, content }] } } }
}

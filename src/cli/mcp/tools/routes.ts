import { type JsonObject, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import { describe, maxLength, optional, string } from '../sdk.ts'
import { required, serviceTool, type Tool } from '../tool.ts'

export const routes: Tool = serviceTool({
  name: 'routes',
  title: 'Routes',
  description: 'Lists the routes of a service with the functions that handle them.',
  fields: {
    contains: optional(string().check(maxLength(100), describe('Only routes that contain this.'))),
  },
  async run(connection, { contains = '' }) {
    const shown = await connection.read('mappings')
    const lines = shown === undefined ? await observedRoutes() : mappedRoutes(shown)
    const wanted = lines.filter((line) => line.toLowerCase().includes(contains.toLowerCase()))
    return { summary: [`${wanted.length} of ${lines.length} routes.`], details: wanted, narrowBy: 'contains' }

    async function observedRoutes() {
      const requests = await connection.read('console/requests', { query: [['limit', 0]] })
      const found = objectsIn(required(requests, connection, 'mappings or console')['routes'])
      return found.map(({ method, route }) => `${textOf(method)} ${textOf(route)}`)
    }
  },
})

/** Returns the routes of each context, those of servlets and of reactive handlers. */
function mappedRoutes(shown: JsonObject): readonly string[] {
  return Object.values(objectOf(shown['contexts'])).flatMap((context) => {
    const { dispatcherServlets, dispatcherHandlers } = objectOf(objectOf(context)['mappings'])
    const byFramework = [
      ...Object.entries(objectOf(dispatcherServlets)),
      ...Object.entries(objectOf(dispatcherHandlers)),
    ]
    return byFramework.flatMap(([framework, mappings]) =>
      objectsIn(mappings).map(({ predicate, handler }) => `${textOf(predicate)} -> ${textOf(handler)} (${framework})`),
    )
  })
}

import type { Report } from '../../base/report.ts'
import { hasRole } from '../../http/authorize.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call, Resource } from '../../http/resource.ts'
import type { EnvOptions } from '../env/env-options.ts'
import { activeProfiles, createEnvironmentReader } from '../env/environment.ts'
import { createMasking } from '../env/masking.ts'
import { namePattern } from '../env/name-pattern.ts'
import type { Property, ReadProperties } from '../env/property-source.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/** Longer patterns name no property. */
const maxPatternLength = 200

/**
 * `env`: the properties of the process and the application by source; `env/{toMatch}`: one property, by its name.
 * Values are masked unless a rule shows them.
 */
export function envEndpoint(options: EnvOptions, report: Report): Endpoint {
  const { showValues = 'never', roles, sources = [] } = options
  const readEnvironment = createEnvironmentReader(sources, report)
  const mask = createMasking(options)

  const maySeeValues = async ({ identify }: Call): Promise<boolean> => {
    if (showValues !== 'when-authorized') return showValues === 'always'
    const principal = await identify()
    return principal !== undefined && (roles === undefined || hasRole(principal, roles))
  }
  const profiles = () => ({ activeProfiles: activeProfiles(process.env), defaultProfiles: ['default'] })

  const all: Resource = {
    access: 'authorized',
    async get(call) {
      const matches = patternIn(call.query)
      const areShown = await maySeeValues(call)
      const show = ({ name, properties }: ReadProperties) => {
        const matching = [...properties].filter(([key]) => matches(key))
        const shown = matching.map(([key, property]) => [key, masking(key, property, areShown)])
        return { name, properties: Object.fromEntries(shown) }
      }
      return json({ ...profiles(), propertySources: (await readEnvironment()).map(show) }, 'no-store')
    },
  }

  const one: Resource = {
    access: 'authorized',
    async get(call) {
      const [name = ''] = call.variables
      const areShown = await maySeeValues(call)
      const found = (await readEnvironment()).map((source) => {
        const property = source.properties.get(name)
        return { name: source.name, property: property && masking(name, property, areShown) }
      })
      const first = found.find(({ property }) => property !== undefined)
      if (first === undefined) throw new HttpError(404, 'Property not found.')
      const property = { source: first.name, value: first.property?.value }
      return json({ property, ...profiles(), propertySources: found }, 'no-store')
    },
  }

  function masking(name: string, { value, origin }: Property, areShown: boolean) {
    return { value: mask(name, value, areShown), origin }
  }

  return {
    id: 'env',
    routes: [
      { path: 'env', resource: all },
      { path: 'env/{toMatch}', resource: one },
    ],
    describe,
  }
}

/**
 * Returns a matcher of the names that the query selects. Spring Boot accepts a regular expression, whose time a caller
 * could make exponential; here `*` stands for any characters, so that `orders.*` means the same.
 *
 * @throws HttpError 400.
 */
function patternIn(query: URLSearchParams): (name: string) => boolean {
  const pattern = query.get('pattern')
  if (pattern === null) return () => true
  if (pattern.length > maxPatternLength || !/^[\w.*:@[\]/-]+$/.test(pattern)) {
    const expected = `at most ${maxPatternLength} characters of names, and * for any characters`
    throw new HttpError(400, `The query parameter pattern must consist of ${expected}.`)
  }
  return namePattern(pattern)
}

function describe(): EndpointDescription {
  const value = { type: ['string', 'number', 'boolean', 'null'] }
  const property = { type: 'object', properties: { value, origin: stringSchema }, required: ['value'] }
  const profiles = { activeProfiles: listSchema(stringSchema), defaultProfiles: listSchema(stringSchema) }
  const source = objectSchema({ name: stringSchema, properties: { type: 'object', additionalProperties: property } })
  const sourceOfOne = { type: 'object', properties: { name: stringSchema, property }, required: ['name'] }
  const list = describeJson(objectSchema({ ...profiles, propertySources: listSchema(source) }))
  const found = objectSchema({ source: stringSchema, value })
  const item = describeJson(objectSchema({ property: found, ...profiles, propertySources: listSchema(sourceOfOne) }))
  const query = [{ name: 'pattern', description: 'Restricts to properties by their names.', schema: stringSchema }]
  const [all, one] = ['The properties of the process by source.', 'One property, in all sources.']
  return {
    env: { GET: { summary: all, query, responses: [{ status: 200, description: all, content: list }] } },
    'env/{toMatch}': { GET: { summary: one, responses: [{ status: 200, description: one, content: item }] } },
  }
}

import { withDeadline } from '../../base/deadline.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import type { Caches, RegisteredCache } from '../../instrumentation/caches/caches.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, objectSchema, stringSchema } from './json-representation.ts'

/** How long clearing a cache may take. */
const timeoutMilliseconds = 10_000

/**
 * `caches`: the names of all caches by manager, in the format of Spring Boot Actuator; `caches/{name}`: one cache. An
 * authorized caller removes the entries of one or of all by DELETE.
 */
export function cachesEndpoint(caches: Pick<Caches, 'list'>): Endpoint {
  const getAll = () => {
    const cacheManagers: Record<string, { caches: Record<string, { target: string }> }> = Object.create(null)
    for (const { manager, name, target } of caches.list()) {
      cacheManagers[manager] ??= { caches: Object.create(null) }
      cacheManagers[manager].caches[name] = { target }
    }
    return json({ cacheManagers }, 'no-cache')
  }

  const find = ({ variables: [wanted = ''], query }: Call): RegisteredCache | undefined => {
    const manager = query.get('cacheManager') || undefined
    const found = caches.list().filter((each) => each.name === wanted && (manager ?? each.manager) === each.manager)
    if (found.length <= 1) return found[0]
    throw new HttpError(400, 'Several managers have a cache of this name; expected the query parameter cacheManager.')
  }

  const getOne = (call: Call) => {
    const found = find(call)
    return found && json({ name: found.name, cacheManager: found.manager, target: found.target }, 'no-cache')
  }

  const deleteOne = async (call: Call) => {
    const found = find(call)
    if (found === undefined) throw new HttpError(404, 'Cache not found.')
    await clear(found)
    return undefined
  }

  const deleteAll = async () => {
    const outcomes = await Promise.allSettled(caches.list().map(clear))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return undefined
  }

  return {
    id: 'caches',
    routes: [
      { path: 'caches', resource: { access: 'authorized', get: getAll, delete: deleteAll } },
      { path: 'caches/{cache}', resource: { access: 'authorized', get: getOne, delete: deleteOne } },
    ],
    describe,
  }
}

/** @throws HttpError 503 if the cache cannot be cleared, or not in time. */
async function clear(cache: RegisteredCache): Promise<void> {
  try {
    await withDeadline(Promise.resolve(cache.clear()), timeoutMilliseconds, `the cache ${cache.name}`)
  } catch (cause) {
    throw new HttpError(503, `The cache ${JSON.stringify(cache.name)} could not be cleared.`, { cause })
  }
}

function describe(): EndpointDescription {
  const manager = objectSchema({
    caches: { type: 'object', additionalProperties: objectSchema({ target: stringSchema }) },
  })
  const all = describeJson(objectSchema({ cacheManagers: { type: 'object', additionalProperties: manager } }))
  const one = describeJson(objectSchema({ name: stringSchema, cacheManager: stringSchema, target: stringSchema }))
  const query = [{ name: 'cacheManager', description: 'The manager of the cache.', schema: stringSchema }]
  const [list, member] = ['The names of all caches.', 'The name and the class of one cache.']
  const responses = [{ status: 204, description: 'The entries were removed.' }]
  return {
    caches: {
      GET: { summary: list, responses: [{ status: 200, description: list, content: all }] },
      DELETE: { summary: 'Removes the entries of all caches.', responses },
    },
    'caches/{cache}': {
      GET: { summary: member, query, responses: [{ status: 200, description: member, content: one }] },
      DELETE: { summary: 'Removes the entries of a cache.', query, responses },
    },
  }
}

import { createManagement, type Endpoint, type ManagementOptions } from 'upkeep'
import { expect, it } from 'vitest'

type Route = Endpoint['routes'][number]

const get = () => undefined
/** Public to read; the access of its second path depends on the method. */
const [list, one]: readonly [Route, Route] = [
  { path: 'queues', resource: { access: 'public', get } },
  { path: 'queues/{name}', resource: { access: (method) => (method === 'GET' ? 'public' : 'authorized'), get } },
]
const queues: Endpoint = { id: 'queues', routes: [list, one] }

function errorOf(options: ManagementOptions): string {
  try {
    createManagement({ metrics: { runtime: false }, ...options }).close()
    return 'none'
  } catch (error) {
    return String(error)
  }
}

it.each(['health', 'queues'])('the identifier %s of an endpoint is refused if another one has it', (id) => {
  const endpoints = [queues, { id, routes: [{ path: id, resource: { get } }] }]
  expect(errorOf({ endpoints })).toBe(
    `TypeError: createManagement: endpoints[1].id: expected an identifier that is not in use, received "${id}"`,
  )
})

it('an endpoint that is public whatever its method needs no authorize', () => {
  expect(errorOf({ endpoints: [queues], expose: ['queues'] })).toBe('none')
})

it('an endpoint needs authorize as soon as one of its routes, or one of its methods, is not public', () => {
  const message =
    'TypeError: createManagement: the endpoint "queues" requires the option "authorize", such as ' +
    'bearerToken(process.env.MANAGEMENT_TOKEN); without it expected access.queues: "public"'
  const writable = { ...one, resource: { ...one.resource, post: get } }
  const closed = { ...one, resource: { get } }
  for (const routes of [[list, writable], [writable], [list, closed], [closed, list]]) {
    expect(errorOf({ endpoints: [{ ...queues, routes }], expose: ['queues'] })).toBe(message)
  }
})

it('an endpoint that is not exposed needs no authorize', () => {
  const endpoints = [{ id: 'queues', routes: [{ path: 'queues', resource: { get } }] }]
  expect(errorOf({ endpoints, expose: ['health'] })).toBe('none')
  expect(errorOf({ endpoints })).toBe('none')
})

import { createManagement } from 'upkeep'
import { expect, it } from 'vitest'

const origins = "an array of at least one origin, such as ['https://ops.example']"
const cors = (options: object) => ({ cors: { allowedOrigins: ['https://ops.example'], ...options } })
const route = (each: object) => ({ endpoints: [{ id: 'queues', routes: [each] }] })
const indicators = { livenessState: () => 'UP' }

it.each<[unknown, string]>([
  [{ application: 1 }, 'application: expected { name, version }, received 1'],
  [{ application: { name: '' } }, 'application.name: expected a non-empty string, received ""'],
  [{ expose: 1 }, 'expose: expected an array of endpoint ids, received 1'],
  [
    { cors: 1 },
    'cors: expected { allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders, allowCredentials, maxAge }, ' +
      'received 1',
  ],
  [{ cors: { allowedOrigins: [] } }, `cors.allowedOrigins: expected ${origins}, received an empty array`],
  [
    cors({ allowedMethods: [] }),
    "cors.allowedMethods: expected an array of at least one method, such as ['GET', 'POST'], received an empty array",
  ],
  [
    cors({ allowedMethods: ['HEAD'] }),
    'cors.allowedMethods[0]: expected one of GET, POST, PUT, PATCH, DELETE, received "HEAD"',
  ],
  [
    cors({ allowedHeaders: ['a b'] }),
    'cors.allowedHeaders[0]: expected the name of a header field such as \'Authorization\', received "a b"',
  ],
  [{ env: 1 }, 'env: expected an object, received 1'],
  [{ env: { sources: 1 } }, 'env.sources: expected an array of sources, received 1'],
  [{ env: { sources: [1] } }, 'env.sources[0]: expected a source: { name, properties }, received 1'],
  [
    { env: { sources: [{ name: 'a', properties: 1 }] } },
    'env.sources[0].properties: expected an object of properties, or a function, received 1',
  ],
  [{ env: { mask: 1 } }, "env.mask: expected an array of names, such as ['npm_package_*'], received 1"],
  [{ httpExchanges: 1 }, 'httpExchanges: expected an object, received 1'],
  [
    { httpExchanges: { capacity: 1_001 } },
    'httpExchanges.capacity: expected a whole number from 1 to 1000, received 1001',
  ],
  [{ health: 1 }, 'health: expected an object, received 1'],
  [
    { health: { indicators } },
    'health.indicators: expected names other than livenessState and readinessState, which are defined by upkeep, ' +
      'received an object',
  ],
  [{ health: { indicators: 1 } }, 'health.indicators: expected an object of health indicators by name, received 1'],
  [{ health: { groups: { 'a/b': {} } } }, 'health.groups: expected names without a slash, received "a/b"'],
  [{ health: { groups: { a: 1 } } }, 'health.groups.a: expected an object, received 1'],
  [{ health: { groups: { a: { include: 1 } } } }, 'health.groups.a.include: expected an array of names, received 1'],
  [{ health: { discover: 1 } }, 'health.discover: expected true, false or discoverClients(), received 1'],
  [{ health: { order: 1 } }, 'health.order: expected an array of statuses, received 1'],
  [
    { health: { httpMapping: 1 } },
    'health.httpMapping: expected an object of HTTP statuses by status, such as { DOWN: 503 }, received 1',
  ],
  [{ metrics: { sources: [1] } }, 'metrics.sources[0]: expected a source of meters, received 1'],
  [{ metrics: { sources: 1 } }, 'metrics.sources: expected an array of sources of meters, received 1'],
  [{ tracing: { baggage: 1 } }, 'tracing.baggage: expected { logFields, spanAttributes }, received 1'],
  [{ endpoints: 1 }, 'endpoints: expected an array of endpoints, received 1'],
  [
    { endpoints: [{ id: 'a b', routes: [] }] },
    'endpoints[0].id: expected an identifier such as \'queues\': letters, digits and hyphens, received "a b"; ' +
      'endpoints[0].routes: expected an array of at least one route, received an empty array',
  ],
  [{ endpoints: [{ id: 'queues', routes: 1 }] }, 'endpoints[0].routes: expected an array of routes, received 1'],
  [
    route({ path: 'queues', resource: {} }),
    'endpoints[0].routes[0].resource: expected an object with a function "get", "post", "put", "patch" or "delete", ' +
      'received an object',
  ],
  [
    route({ path: '/', resource: { get: () => undefined } }),
    "endpoints[0].routes[0].path: expected a path such as 'queues' or 'queues/{name}', received \"/\"; " +
      'endpoints[0].routes: expected routes whose paths begin with the id of the endpoint, received an array',
  ],
  [{ sbom: { 'a/b': 'x' } }, 'sbom: expected ids without a slash, received "a/b"'],
  [{ sbom: 1 }, "sbom: expected an object of paths by id, such as { application: 'sbom.cdx.json' }, received 1"],
  [{ caches: 1 }, 'caches: expected createCaches(), received 1'],
  [{ caches: { list: 1, measure: () => {} } }, 'caches.list: expected a function, received 1'],
  [{ scheduledTasks: 1 }, 'scheduledTasks: expected createScheduledTasks(), received 1'],
  [{ scheduledTasks: { read: () => {} } }, 'scheduledTasks.measure: expected a function, received undefined'],
  [{ ssl: 1 }, 'ssl: expected sslBundles({ … }), received 1'],
  [{ ssl: { measure: () => {} } }, 'ssl.bundles: expected a function, received undefined'],
  [{ logFile: 1 }, 'logFile: expected a string, received 1'],
  [{ loggerGroups: 1 }, 'loggerGroups: expected an object of arrays of names of loggers, received 1'],
  [{ loggerGroups: { 'a/b': [] } }, 'loggerGroups: expected names without a slash, received "a/b"'],
  [{ loggerGroups: { a: 1 } }, 'loggerGroups.a: expected an array of names of loggers, received 1'],
  [{ recorder: 1 }, 'recorder: expected an object, received 1'],
  [
    { recorder: { blockedLoop: true } },
    'recorder.blockedLoop: expected a duration such as "1s" of more than 0, or false, received true',
  ],
  ...[0, 1, true].map((memory): [unknown, string] => [
    { recorder: { memory } },
    `recorder.memory: expected a number of more than 0 and less than 1, or false, received ${memory}`,
  ]),
  [{ recorder: { errorBurst: 1 } }, 'recorder.errorBurst: expected { count, within } or false, received 1'],
  [{ recorder: { onCapture: 1 } }, 'recorder.onCapture: expected a function of a capture, received 1'],
  [{ console: 1 }, 'console: expected an object, received 1'],
  ...[2 ** 20 - 1, 2 ** 28 + 1].map((maximumBytes): [unknown, string] => [
    { console: { maximumBytes } },
    `console.maximumBytes: expected a whole number from 1048576 to 268435456, received ${maximumBytes}`,
  ]),
  ...[0, 1_001].map((viewers): [unknown, string] => [
    { console: { viewers } },
    `console.viewers: expected a whole number from 1 to 1000, received ${viewers}`,
  ]),
  [{ console: { slowSeconds: 0 } }, 'console.slowSeconds: expected a number of seconds of more than 0, received 0'],
  [route({ path: 'queues', resource: 1 }), 'endpoints[0].routes[0].resource: expected an object, received 1'],
  [{ tracing: 1 }, 'tracing: expected true, false or { probability, baggage }, received 1'],
])('an invalid option is named with what is expected: %j', (options, message) => {
  expect(() => createManagement(options as object)).toThrow(new TypeError(`createManagement: ${message}`))
})

/** A module: a folder of `src/`, or `adapters/` or `examples/`. */
export interface Module {
  readonly name: string
  readonly purpose: string
  /**
   * The files, or folders that end in `/`, that may import Node's own modules, and which. `'any'` allows all of them
   * everywhere in the module. Default: none.
   */
  readonly node?: 'any' | Readonly<Record<string, readonly string[]>>
}

/** The layers, bottom first. A module imports from lower layers and from itself. */
export const layers: readonly (readonly Module[])[] = [
  [
    {
      name: 'base',
      purpose:
        'clock, durations, timers and deadlines, MaybePromise, lazy imports, option errors, redaction of secrets',
      node: { 'container-memory.ts': ['node:fs', 'node:os'], 'announce.ts': ['node:diagnostics_channel'] },
    },
  ],
  [{ name: 'metrics', purpose: 'meters, registry, filters, snapshots; knows no text format' }],
  [
    { name: 'runtime', purpose: 'meters of the process: CPU, memory, event loop, garbage collection', node: 'any' },
    {
      name: 'ids',
      purpose: 'UUIDs, traceparent and tracestate, random and request identifiers',
      node: { 'random.ts': ['node:crypto'], 'uuid/name-uuid.ts': ['node:crypto'] },
    },
    {
      name: 'health',
      purpose: 'components, groups, statuses; how a check is run; ready-made indicators',
      node: { 'indicators/': ['any'], 'discovery/': ['node:events', 'node:diagnostics_channel'] },
    },
  ],
  [
    {
      name: 'tracing',
      purpose: 'spans, trace context, sampling; with OpenTelemetry or without',
      node: { './': ['node:async_hooks'] },
    },
    {
      name: 'prometheus',
      purpose: 'snapshots as text: Prometheus, OpenMetrics, metric detail; prom-client, Pushgateway',
    },
    {
      name: 'http',
      purpose: 'one exchange: messages, resources, routing; header fields, HTTP rules, error documents',
      node: {
        'conventions/content-coding.ts': ['node:zlib', 'node:stream'],
        'fields/entity-tag.ts': ['node:crypto'],
      },
    },
  ],
  [
    {
      name: 'instrumentation',
      purpose: 'requests, calls, queries and messages of the application: timed and traced',
      node: 'any',
    },
    {
      name: 'logging',
      purpose: 'log records, a small logger, log levels, pino and winston',
      node: {
        'thread-name.ts': ['node:worker_threads'],
        'console-capture.ts': ['node:util'],
        'ecs-record.ts': ['node:os'],
        'pino/pino-events.ts': ['node:diagnostics_channel'],
      },
    },
    { name: 'lifecycle', purpose: 'availability, start-up tasks, listening, graceful shutdown', node: 'any' },
    {
      name: 'opentelemetry',
      purpose: "meter provider and tracer provider behind OpenTelemetry's API",
      node: { 'application-api.ts': ['node:module'] },
    },
  ],
  [
    {
      name: 'watch',
      purpose: 'the thread that detects a blocked event loop, and makes profiles and dumps',
      node: 'any',
    },
    { name: 'otlp', purpose: 'metrics, traces and logs to OTLP receivers: settings, mapping, delivery', node: 'any' },
    {
      name: 'cluster',
      purpose: 'several processes or threads as one: files that members write and readers merge',
      node: 'any',
    },
    { name: 'rest', purpose: 'resources by archetype, representations, schemas, OpenAPI, path rules' },
    {
      name: 'console',
      purpose: 'the page of the console and the histories that it shows; ui/ runs in the browser',
      node: 'any',
    },
  ],
  [
    {
      name: 'management',
      purpose: 'createManagement: options, endpoints, access, application info',
      node: {
        'access/secret.ts': ['node:crypto'],
        'endpoints/sbom.ts': ['node:fs/promises'],
        'regular-file.ts': ['node:fs/promises'],
        'audit-file.ts': ['node:fs/promises'],
        'info/': ['any'],
        'log-file/': ['node:fs/promises'],
      },
    },
  ],
  [
    {
      name: 'contract',
      purpose: 'the interface as test cases over HTTP, and the kit for adapter authors',
      node: 'any',
    },
    { name: 'spring-boot-admin', purpose: 'registration at Spring Boot Admin', node: 'any' },
  ],
  [{ name: 'entries', purpose: 'one file per import path; the only files that re-export' }],
  [{ name: 'adapters', purpose: 'one file per framework; translates messages, knows no HTTP rule', node: 'any' }],
  [
    { name: 'cli', purpose: 'the command `upkeep`', node: 'any' },
    { name: 'auto', purpose: 'the start without code: `node --import upkeep/auto app.js`', node: 'any' },
  ],
  [{ name: 'examples', purpose: 'quick starts, and the webhook receiver, the reference deployment', node: 'any' }],
]

/** The files outside of `src/` that the pages of the documentation describe beside the modules. */
export const otherFolders: readonly Module[] = [
  { name: 'deploy', purpose: 'dashboards of Grafana and rules of Prometheus, and the script that writes them' },
  {
    name: 'test',
    purpose:
      'grouped by module; architecture/ holds this plan; support/, vectors/ and suites of several implementations',
  },
  { name: 'bench', purpose: 'benchmarks, paired, as ratios' },
  { name: 'scripts', purpose: 'build, installs of the packed tarball, checks of the tests themselves' },
]

/** Returns the plan as the Markdown that docs/concepts/architecture.md contains between its markers. */
export function drawPlan(): string {
  const modules = layers.flat()
  const width = Math.max(...modules.map(({ name }) => name.length)) + 2
  const line = ({ name, purpose }: Module) => `${`${name}/`.padEnd(width)} ${purpose}`
  const isInSource = ({ name }: Module) => name !== 'adapters' && name !== 'examples'
  return [
    '```',
    'src/',
    ...modules.filter(isInSource).map((module) => `  ${line(module)}`),
    ...modules.filter((module) => !isInSource(module)).map(line),
    ...otherFolders.map(line),
    '```',
    '',
    'A module imports from lower layers and from itself: never from a higher layer or another module of its own layer.',
    'There are no import cycles, inside a module either.',
    '',
    '```',
    ...layers.map((layer) => layer.map(({ name }) => name).join('   ')).reverse(),
    '```',
    '',
    "Node's own modules may be imported by:",
    '',
    ...modules.filter(({ node }) => node !== undefined).map((module) => `- ${describeNode(module)}`),
  ].join('\n')
}

function describeNode({ name, node }: Module): string {
  if (node === 'any' || node === undefined) return `\`${name}\``
  const places = Object.entries(node).map(([path, allowed]) => {
    const place = path === './' ? name : `${name}/${path}`
    return allowed.includes('any') ? `\`${place}\`` : `\`${place}\`: ${allowed.map((one) => `\`${one}\``).join(', ')}`
  })
  return places.join('; ')
}

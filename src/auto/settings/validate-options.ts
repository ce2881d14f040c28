import * as z from 'zod/mini'
import { parseDuration } from '../../base/duration.ts'
import { lazy } from '../../base/lazy.ts'
import {
  describeOptionErrors,
  type OptionIssue,
  type OptionSchema,
  withForeignNames,
} from '../../base/option-errors.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import { builtInIds } from '../../management/endpoints/endpoint.ts'
import { arePlainSettings, components, isHost, tokenGrammar } from './plain-settings.ts'

interface Validated {
  readonly valid: Readonly<Record<string, unknown>>
  readonly errors: readonly { readonly option: string; readonly message: string }[]
}

/** Validates the `AutoOptions` of one source. Returns those at the top that are valid as a whole. */
export function validateOptions(source: string, options: unknown): Validated {
  // The schema is in a file with zod, which is loaded only if this is not enough.
  if (arePlainSettings(options)) return { valid: options as Validated['valid'], errors: [] }
  const schema = autoOptions()
  const { success, error } = schema.safeParse(options)
  if (success) return { valid: options as Validated['valid'], errors: [] }
  const errors = (error.issues as readonly OptionIssue[]).flatMap((issue) => {
    const described = describeOptionErrors([issue], {
      options,
      schema: schema as OptionSchema,
      isSecret: ([first]) => first === 'token',
    })
    const names = issue.path.length > 0 ? [String(issue.path[0])] : (issue.keys ?? [''])
    return described.map((message, at) => ({
      option: names[at] ?? names[0] ?? '',
      // A variable has one option, whose name would only repeat it.
      message: source.startsWith('UPKEEP_') ? message.replace(/^[^:]*: /, '') : message,
    }))
  })
  const invalid = new Set(errors.map(({ option }) => option))
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  const valid = isObject ? Object.entries(options).filter(([name]) => !invalid.has(name)) : []
  return { valid: Object.fromEntries(valid), errors }
}

const aPort = 'a port from 1 to 65535'
const aHost = 'an IP address or the name of a host'
const aToken = 'visible ASCII characters without white space'
const aDuration = 'a duration such as "5s"'
const aTemplate = 'a path such as "/orders/:id"'
const anObject = 'an object'
const aCount = 'a whole number of 1 or more'

/** Created on demand, and once: each variable is validated by itself. */
export const autoOptions: () => z.ZodMiniType = lazy(() => {
  const optional = z.optional
  const text = (expected: string) => z.string(expected).check(z.minLength(1, expected))
  const duration = z.string(aDuration).check(z.refine((value) => parseDuration(value) !== undefined, aDuration))
  const host = z.string(aHost).check(z.refine(isHost, aHost))
  const count = z.int(aCount).check(z.gte(1, aCount))
  const file = text('the path of a file')
  const files = { certFile: optional(file), keyFile: optional(file), clientCaFile: optional(file) }
  const shutdown = z.strictObject({ delay: optional(duration), timeout: optional(duration) }, anObject)
  const schema = z.strictObject(
    {
      port: optional(z.int(aPort).check(z.gte(1, aPort), z.lte(65_535, aPort))),
      host: optional(host),
      // Whether they are complete is known when the variables are joined: the server requires it.
      tls: optional(z.strictObject(files, anObject)),
      maxConnections: optional(count),
      maxConnectionsPerAddress: optional(count),
      auditFile: optional(file),
      token: optional(z.string(aToken).check(z.regex(tokenGrammar, aToken))),
      expose: optional(z.array(z.enum(builtInIds, `one of ${builtInIds.join(', ')}`), 'a list of endpoints')),
      conventions: optional(z.enum(['micrometer', 'opentelemetry'], '"micrometer" or "opentelemetry"')),
      group: optional(text('a non-empty string')),
      logTraceIds: optional(z.boolean('true or false')),
      routes: optional(
        z.array(z.string(aTemplate).check(z.refine((value) => value.startsWith('/'), aTemplate)), 'a list of paths'),
      ),
      discover: optional(
        z.union(
          [z.boolean(), z.array(z.enum(components, `one of ${components.join(', ')}`))],
          `true, false or a list of ${components.join(', ')}`,
        ),
      ),
      readiness: optional(z.array(text('the name of a component'), 'a list of components')),
      shutdown: optional(shutdown),
      // Checked by createManagement.
      management: optional(z.custom((value) => typeof value === 'object' && value !== null, anObject)),
    },
    anObject,
  )
  return withForeignNames(schema, foreignNames)
})

const inManagement = (option: string) => `write management: { ${option} }`

const foreignNames: ForeignNames = {
  address: 'host',
  hostname: 'host',
  authorize: 'token',
  authorization: 'token',
  endpoints: 'expose',
  include: 'expose',
  delay: 'shutdown.delay',
  timeout: 'shutdown.timeout',
  path: inManagement('basePath'),
  prefix: inManagement('basePath'),
  basePath: inManagement('basePath'),
  paths: inManagement('paths'),
  health: inManagement('health'),
  metrics: inManagement('metrics'),
  name: inManagement('application: { name }'),
  serviceName: inManagement('application: { name }'),
  application: inManagement('application'),
  endpoint: 'set the variable OTEL_EXPORTER_OTLP_ENDPOINT',
  url: 'set the variable OTEL_EXPORTER_OTLP_ENDPOINT',
}

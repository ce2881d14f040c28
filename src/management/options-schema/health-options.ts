import * as z from 'zod/mini'
import { withForeignNames } from '../../base/option-errors.ts'
import { hasFunctions } from '../../base/plain-check.ts'
import type { ClientDiscovery } from '../../health/discovery/discovery.ts'
import type { Indicators } from '../../health/indicator.ts'
import type { HealthGroupOptions, HealthOptions, HealthViewOptions } from '../endpoints/health.ts'
import { ownIndicators } from '../plain-options.ts'
import { groupForeignNames, healthForeignNames } from './foreign-names.ts'
import {
  anObject,
  audience,
  duration,
  flag,
  limit,
  objectValue,
  oneOf,
  roles,
  type Shape,
  stringValue,
} from './values.ts'

export function healthOptions(): z.ZodMiniType {
  const indicators = objectValue<Indicators>('an object of health indicators by name').check(
    z.refine(
      (value) => !ownIndicators.some((name) => Object.hasOwn(value, name)),
      `names other than ${ownIndicators.join(' and ')}, which are defined by upkeep`,
    ),
  )
  const discovery = z.custom<ClientDiscovery>((value) => hasFunctions('add', 'targetsOf', 'close')(value))
  const name = stringValue().check(z.regex(/^[^/]+$/, 'names without a slash'))
  const schema = z.strictObject(
    {
      ...healthViewOptions(),
      indicators: z.optional(indicators),
      groups: z.optional(z.record(name, healthGroupOptions(), 'an object of groups by name')),
      concurrency: z.optional(limit()),
      slowCheck: z.optional(duration()),
      discover: z.optional(z.union([flag(), discovery], 'true, false or discoverClients()')),
    } satisfies Shape<HealthOptions>,
    anObject,
  )
  return withForeignNames(schema, healthForeignNames)
}

function healthGroupOptions(): z.ZodMiniType {
  const names = z.array(stringValue(), 'an array of names')
  const schema = z.strictObject(
    {
      ...healthViewOptions(),
      include: z.optional(names),
      exclude: z.optional(names),
    } satisfies Shape<HealthGroupOptions>,
    anObject,
  )
  return withForeignNames(schema, groupForeignNames)
}

function healthViewOptions() {
  return {
    order: z.optional(z.array(stringValue(), 'an array of statuses')),
    httpMapping: z.optional(
      z.record(stringValue(), httpStatus(), 'an object of HTTP statuses by status, such as { DOWN: 503 }'),
    ),
    format: z.optional(oneOf(['actuator', 'terminus'])),
    showDetails: z.optional(audience()),
    showComponents: z.optional(audience()),
    roles: z.optional(roles()),
  } satisfies Shape<HealthViewOptions>
}

/** A status of a response that has content. */
function httpStatus() {
  const expected = 'a status from 200 to 599, other than 204, 205 and 304, which have no content'
  return z.int('a whole number').check(
    z.gte(200, expected),
    z.lte(599, expected),
    z.refine((status) => ![204, 205, 304].includes(status), expected),
  )
}

import * as z from 'zod/mini'
import type { Indicators } from '../../health/indicator.ts'
import type { HealthGroupOptions, HealthOptions, HealthViewOptions } from '../endpoints/health.ts'
import { duration, limit, objectValue, oneOf, type Shape, stringValue } from './values.ts'

const ownIndicators = ['livenessState', 'readinessState']

export function healthOptions(): z.ZodMiniType {
  const indicators = objectValue<Indicators>('an object of health indicators by name').check(
    z.refine(
      (value) => !ownIndicators.some((name) => Object.hasOwn(value, name)),
      `must not contain ${ownIndicators.join(' and ')}, which are the availability of the application`,
    ),
  )
  const name = stringValue().check(z.regex(/^[^/]+$/, 'must be a name without a slash'))
  return z.strictObject(
    {
      ...healthViewOptions(),
      indicators: z.optional(indicators),
      groups: z.optional(z.record(name, healthGroupOptions(), 'must be an object of groups by name')),
      concurrency: z.optional(limit()),
      slowCheck: z.optional(duration()),
    } satisfies Shape<HealthOptions>,
    'must be an object',
  )
}

function healthGroupOptions(): z.ZodMiniType {
  const names = z.array(stringValue(), 'must be a list of names')
  return z.strictObject(
    {
      ...healthViewOptions(),
      include: z.optional(names),
      exclude: z.optional(names),
    } satisfies Shape<HealthGroupOptions>,
    'must be an object',
  )
}

function healthViewOptions() {
  const audience = oneOf(['never', 'when-authorized', 'always'])
  const someRoles = "must be a list of roles, such as ['ops']"
  const roles = z.array(stringValue(), someRoles).check(z.minLength(1, someRoles))
  return {
    order: z.optional(z.array(stringValue(), 'must be a list of statuses')),
    httpMapping: z.optional(
      z.record(stringValue(), httpStatus(), 'must map statuses to HTTP statuses, such as { DOWN: 503 }'),
    ),
    showDetails: z.optional(audience),
    showComponents: z.optional(audience),
    roles: z.optional(roles),
  } satisfies Shape<HealthViewOptions>
}

/** A status of a response that has content. */
function httpStatus() {
  const expected = 'must be a status from 200 to 599 with content, not 204, 205 or 304'
  return z.int('must be a whole number').check(
    z.gte(200, expected),
    z.lte(599, expected),
    z.refine((status) => ![204, 205, 304].includes(status), expected),
  )
}

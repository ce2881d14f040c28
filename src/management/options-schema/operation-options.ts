import * as z from 'zod/mini'
import { functionValue, stringValue } from './values.ts'

export function loggerGroups(): z.ZodMiniType {
  const members = z.array(stringValue(), 'an array of names of loggers')
  const name = stringValue().check(z.regex(/^[^/]+$/, 'names without a slash'))
  return z.record(name, members, 'an object of arrays of names of loggers')
}

export function scheduledTasks(): z.ZodMiniType {
  return z.looseObject({ read: functionValue(), measure: functionValue() }, 'createScheduledTasks()')
}

export function sbom(): z.ZodMiniType {
  const id = stringValue().check(z.regex(/^[^/]+$/, 'ids without a slash'))
  return z.record(id, stringValue(), "an object of paths by id, such as { application: 'sbom.cdx.json' }")
}

export function ssl(): z.ZodMiniType {
  return z.looseObject({ bundles: functionValue(), measure: functionValue() }, 'sslBundles({ … })')
}

export function caches(): z.ZodMiniType {
  return z.looseObject({ list: functionValue(), measure: functionValue() }, 'createCaches()')
}

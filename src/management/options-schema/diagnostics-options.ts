import * as z from 'zod/mini'
import type { EnvOptions } from '../env/env-options.ts'
import type { PropertySource } from '../env/property-source.ts'
import { audience, functionValue, objectValue, roles, type Shape, stringValue } from './values.ts'

export function envOptions(): z.ZodMiniType {
  const names = z.optional(z.array(stringValue(), "an array of names, such as ['npm_package_*']"))
  const properties = z.union([functionValue(), objectValue('')], 'an object of properties, or a function')
  const source = z.strictObject(
    { name: stringValue(), properties } satisfies Shape<PropertySource>,
    'a source: { name, properties }',
  )
  return z.strictObject(
    {
      showValues: z.optional(audience()),
      roles: z.optional(roles()),
      show: names,
      mask: names,
      sources: z.optional(z.array(source, 'an array of sources')),
    } satisfies Shape<EnvOptions>,
    'an object',
  )
}

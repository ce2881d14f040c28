import * as z from 'zod/mini'
import { withForeignNames } from '../../base/option-errors.ts'
import { isSecretName } from '../../base/redaction.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import type { ConsoleOptions } from '../../console/console-options.ts'
import type { EnvOptions } from '../env/env-options.ts'
import type { PropertySource } from '../env/property-source.ts'
import type { HttpExchangesOptions } from '../http-exchanges/http-exchanges-options.ts'
import { anObject, audience, countValue, functionValue, objectValue, roles, type Shape, stringValue } from './values.ts'

export function envOptions(): z.ZodMiniType {
  const names = z.optional(z.array(stringValue(), "an array of names, such as ['npm_package_*']"))
  const properties = z.union([functionValue(), objectValue('')], 'an object of properties, or a function')
  const source = z.strictObject(
    { name: stringValue(), properties } satisfies Shape<PropertySource>,
    'a source: { name, properties }',
  )
  const schema = z.strictObject(
    {
      showValues: z.optional(audience()),
      roles: z.optional(roles()),
      show: names,
      mask: names,
      sources: z.optional(z.array(source, 'an array of sources')),
    } satisfies Shape<EnvOptions>,
    anObject,
  )
  return withForeignNames(schema, envForeignNames)
}

const envForeignNames: ForeignNames = {
  sanitize: 'mask',
  redact: 'mask',
  keysToSanitize: 'mask',
  include: 'show',
}

export function httpExchangesOptions(): z.ZodMiniType {
  const capacity = 'a whole number from 1 to 1000'
  const names = 'an array of names of header fields, without those that contain credentials'
  const headers = z.optional(
    z.array(z.string().check(z.refine(isHarmlessField, names)), names).check(z.maxLength(maxHeaders, names)),
  )
  const schema = z.strictObject(
    {
      capacity: z.optional(z.int(capacity).check(z.gte(1, capacity), z.lte(1_000, capacity))),
      maximumBytes: z.optional(countValue()),
      requestHeaders: headers,
      responseHeaders: headers,
    } satisfies Shape<HttpExchangesOptions>,
    anObject,
  )
  return withForeignNames(schema, httpExchangesForeignNames)
}

const httpExchangesForeignNames: ForeignNames = {
  size: 'capacity',
  limit: 'capacity',
  headers: 'requestHeaders',
}

const maxHeaders = 32

/** Whether a field is one, and contains no credentials by its name. */
function isHarmlessField(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !isSecretName(name) && !/authorization|authenticat/i.test(name)
}

export function consoleOptions(): z.ZodMiniType {
  const bytes = 'a whole number from 1048576 to 268435456'
  const viewers = 'a whole number from 1 to 1000'
  const seconds = 'a number of seconds of more than 0'
  const schema = z.strictObject(
    {
      maximumBytes: z.optional(z.int(bytes).check(z.gte(2 ** 20, bytes), z.lte(2 ** 28, bytes))),
      viewers: z.optional(z.int(viewers).check(z.gte(1, viewers), z.lte(1_000, viewers))),
      slowSeconds: z.optional(z.number(seconds).check(z.gt(0, seconds))),
    } satisfies Shape<ConsoleOptions>,
    anObject,
  )
  return withForeignNames(schema, consoleForeignNames)
}

const consoleForeignNames: ForeignNames = {
  maximumViewers: 'viewers',
  memory: 'maximumBytes',
  slowerThan: 'slowSeconds',
}

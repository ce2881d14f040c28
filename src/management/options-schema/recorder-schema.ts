import * as z from 'zod/mini'
import type { ErrorBurstOptions, RecorderOptions } from '../../watch/recorder/recorder-options.ts'
import { anObject, countValue, duration, flag, functionValue, type Shape, stringValue } from './values.ts'

const errors = 'a whole number from 1 to 10000'

export function recorderSchema(): z.ZodMiniType {
  const never = z.literal(false)
  const durationOrNever = z.union([duration(), never], 'a duration such as "1s" of more than 0, or false')
  const share = 'a number of more than 0 and less than 1, or false'
  const errorBurst = z.strictObject({
    count: z.optional(z.int(errors).check(z.gte(1, errors), z.lte(10_000, errors))),
    within: z.optional(duration()),
  } satisfies Shape<ErrorBurstOptions>)
  return z.strictObject(
    {
      blockedLoop: z.optional(durationOrNever),
      memory: z.optional(z.union([z.number().check(z.gt(0, share), z.lt(1, share)), never], share)),
      slowRequest: z.optional(durationOrNever),
      errorBurst: z.optional(z.union([errorBurst, never], '{ count, within } or false')),
      uncaughtException: z.optional(flag()),
      duration: z.optional(duration()),
      interval: z.optional(duration()),
      maximumCaptures: z.optional(countValue()),
      maximumBytes: z.optional(countValue()),
      directory: z.optional(stringValue()),
      maximumDirectoryBytes: z.optional(countValue()),
      onCapture: z.optional(functionValue('a function of a capture')),
    } satisfies Shape<RecorderOptions>,
    anObject,
  )
}

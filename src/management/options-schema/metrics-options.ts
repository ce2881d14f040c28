import * as z from 'zod/mini'
import { withForeignNames } from '../../base/option-errors.ts'
import type { ExemplarSource } from '../../metrics/exemplar.ts'
import type { MeterFilter } from '../../metrics/meter-filter.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import type { RuntimeMetersOptions } from '../../runtime/runtime-meters.ts'
import type { MetricsOptions } from '../options.ts'
import { metricsForeignNames } from './foreign-names.ts'
import {
  anObject,
  countValue,
  duration,
  flag,
  functionValue,
  limit,
  objectValue,
  oneOf,
  type Shape,
  stringValue,
} from './values.ts'

export function metricsOptions(): z.ZodMiniType {
  const tag = z.union([z.string(), z.number(), z.boolean()], 'a string, a number or a boolean')
  const lifetime = z.optional(duration())
  const schema = z.strictObject(
    {
      commonTags: z.optional(z.record(z.string(), tag, 'an object of tags')),
      sources: z.optional(z.array(objectValue<SnapshotSource>('a source of meters'), 'an array of sources of meters')),
      filters: z.optional(z.array(objectValue<MeterFilter>('a meter filter'), 'an array of meter filters')),
      maximumSeriesPerMeter: z.optional(limit()),
      window: z.optional(
        z.strictObject({ rotations: z.optional(countValue()), rotation: z.optional(duration()) }, anObject),
      ),
      expireAfter: z.optional(
        z.strictObject(
          { counter: lifetime, timer: lifetime, summary: lifetime, longTaskTimer: lifetime },
          'an object of durations by kind of meter',
        ),
      ),
      createdTimestamps: z.optional(flag()),
      exemplar: z.optional(functionValue<ExemplarSource>('a function that returns the current trace')),
      runtime: z.optional(
        z.union([flag(), runtimeMetersOptions()], "true, false or { prefix: 'jvm' | 'nodejs', path }"),
      ),
    } satisfies Shape<MetricsOptions>,
    anObject,
  )
  return withForeignNames(schema, metricsForeignNames)
}

function runtimeMetersOptions(): z.ZodMiniType {
  return z.strictObject({
    prefix: z.optional(oneOf(['jvm', 'nodejs'])),
    path: z.optional(stringValue()),
  } satisfies Shape<RuntimeMetersOptions>)
}

import type { ConventionName } from '../../metrics/convention-name.ts'
import type { Convention } from './convention.ts'
import { micrometer } from './micrometer.ts'
import { opentelemetry } from './opentelemetry.ts'

/** The conventions by the values of the option `conventions`. */
export const conventions: Readonly<Record<ConventionName, Convention>> = { micrometer, opentelemetry }

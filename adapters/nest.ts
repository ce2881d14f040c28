export { Counted, Timed, Traced } from './nest/decorators.ts'
export { ErrorDocumentFilter, type ErrorDocumentFilterOptions } from './nest/error-document-filter.ts'
export { authorizeByGuard, type Guard, type GuardOptions, type ObservableLike } from './nest/guard.ts'
export { Indicator, type IndicatorOptions, type IndicatorProvider, type NestIndicator } from './nest/indicators.ts'
export type { NestShutdownOptions } from './nest/lifecycle.ts'
export { InjectMeter, type MeterProvider, Meters, meterToken, provideMeter, Upkeep } from './nest/meters.ts'
export type { ArgumentsHost } from './nest/nest.ts'
export type { TerminusAttempt, TerminusCheck, TerminusResult } from './nest/terminus.ts'
export {
  type NestHealthOptions,
  type UpkeepDynamicModule,
  UpkeepModule,
  type UpkeepModuleAsyncOptions,
  type UpkeepModuleOptions,
} from './nest/upkeep-module.ts'

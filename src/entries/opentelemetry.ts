export type { OpenTelemetryApi } from '../opentelemetry/application-api.ts'
export {
  type MeteredApplication,
  type RegisterProviderOptions,
  registerMeterProvider,
} from '../opentelemetry/register-meter-provider.ts'
export { registerTracerProvider, type TracedApplication } from '../opentelemetry/register-tracer-provider.ts'

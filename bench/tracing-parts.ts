export { createContextManager } from '../src/tracing/context/context-manager.ts'
export { createOpenTelemetryTracing } from '../src/tracing/create-tracing.ts'
export { installTracing } from '../src/tracing/current-tracing.ts'
export { createTraceSampler } from '../src/tracing/sampler.ts'

export { createContextManager } from '../src/tracing/context/context-manager.ts'
export { createNativeTracing } from '../src/tracing/create-tracing.ts'
export { installTracing } from '../src/tracing/current-tracing.ts'

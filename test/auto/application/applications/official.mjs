import { createRequire } from 'node:module'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { ready } from './tools.mjs'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
new HttpInstrumentation().setTracerProvider(provider)
globalThis.spansOfSdk = () =>
  exporter.getFinishedSpans().map((span) => ({ name: span.name, kind: span.kind, traceId: span.spanContext().traceId }))

const { createServer } = createRequire(import.meta.url)('node:http')
const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1', () => ready(server))

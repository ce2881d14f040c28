/*
 * The parts of OpenTelemetry's API that upkeep uses. They are matched by shape and found in the API's global, and never
 * imported: it makes no difference whether there is no copy of `@opentelemetry/api`, or several.
 */

export interface OpenTelemetryContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OpenTelemetryContext
  deleteValue(key: symbol): OpenTelemetryContext
}

export interface OpenTelemetryTraceState {
  get(key: string): string | undefined
  set(key: string, value: string): OpenTelemetryTraceState
  unset(key: string): OpenTelemetryTraceState
  serialize(): string
}

export interface OpenTelemetrySpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  readonly isRemote?: boolean
  readonly traceState?: OpenTelemetryTraceState
}

type OpenTelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The library that a tracer belongs to. */
export interface OpenTelemetryScope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
}

/** Options of a span, as the API passes them: of any type. */
export interface ApiSpanOptions {
  readonly kind?: unknown
  readonly attributes?: unknown
  readonly links?: unknown
  readonly startTime?: unknown
  readonly root?: unknown
}

export interface OpenTelemetrySpan {
  spanContext(): OpenTelemetrySpanContext
  setAttribute(key: string, value: string | number | boolean): unknown
  setAttributes(attributes: OpenTelemetryAttributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  updateName(name: string): unknown
  recordException(exception: unknown): void
  isRecording(): boolean
  end(): void
}

export interface OpenTelemetrySpanOptions {
  readonly kind?: number
  readonly attributes?: OpenTelemetryAttributes
  readonly links?: { context: OpenTelemetrySpanContext }[]
  readonly root?: boolean
}

export interface OpenTelemetryTracer {
  // A method, not a property: its parameters may be narrower in a real tracer.
  startSpan(name: string, options?: OpenTelemetrySpanOptions, context?: OpenTelemetryContext): OpenTelemetrySpan
}

export interface OpenTelemetryContextManager {
  active(): OpenTelemetryContext
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: OpenTelemetryContext,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F>
  bind<T>(context: OpenTelemetryContext, target: T): T
  enable(): this
  disable(): this
}

/** `SpanKind`, by name. */
export const spanKinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const

/** `SpanStatusCode`. */
export const spanStatusCodes = { unset: 0, ok: 1, error: 2 } as const

/** The keys of a context's span, and of whether tracing is suppressed in it. The same for every copy of the API. */
export const spanKey: symbol = Symbol.for('OpenTelemetry Context Key SPAN')
export const suppressTracingKey: symbol = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** What is registered with OpenTelemetry's API in this process. */
interface RegisteredApi {
  /** The version of the copy of the API that was used first. */
  readonly version?: string
  readonly trace?: RegisteredProvider
  readonly context?: OpenTelemetryContextManager
  readonly metrics?: object
  readonly propagation?: object
}

/** A provider; the API registers one that passes tracers of its delegate. */
interface RegisteredProvider {
  getTracer(name: string, version?: string): OpenTelemetryTracer
  getDelegate?(): object
}

/** Marks the tracer provider of upkeep, also of another copy: it uses the tracing of the process, not the reverse. */
export const ownProvider: unique symbol = Symbol.for('upkeep.tracerProvider')

const globalKey = Symbol.for('opentelemetry.js.api.1')

export function registeredApi(): RegisteredApi | undefined {
  return (globalThis as { [globalKey]?: RegisteredApi })[globalKey]
}

/** Returns the tracer provider behind the registered one; `undefined` if none is registered. */
export function registeredTracerProvider(): object | undefined {
  const provider = registeredApi()?.trace
  return provider?.getDelegate?.() ?? provider
}

/** Whether the application has registered a tracer provider other than upkeep's. */
export function hasOpenTelemetry(): boolean {
  const provider = registeredTracerProvider()
  return provider !== undefined && !(ownProvider in provider)
}

/** Returns a tracer of the provider that the application has registered; `undefined` if none is registered. */
export function registeredTracer(): OpenTelemetryTracer | undefined {
  try {
    return hasOpenTelemetry() ? registeredApi()?.trace?.getTracer('upkeep') : undefined
  } catch {
    return undefined
  }
}

/** Returns the context manager that the application, or upkeep's export of traces, has registered. */
export function registeredContextManager(): OpenTelemetryContextManager | undefined {
  return registeredApi()?.context
}

/**
 * What upkeep sees of OpenTelemetry's API. It is met by shape and by its global, and never imported: a second copy of
 * `@opentelemetry/api`, or none, makes no difference.
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
  // A method and not a property, since a tracer may ask for more of its options than this.
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

/** `SpanKind`. */
export const spanKinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const

/** The keys under which a context holds its span, and whether it is to be traced: the same for every copy of the API. */
export const spanKey: symbol = Symbol.for('OpenTelemetry Context Key SPAN')
export const suppressTracingKey: symbol = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

interface RegisteredApi {
  readonly trace?: { getTracer(name: string, version?: string): OpenTelemetryTracer }
  readonly context?: OpenTelemetryContextManager
}

const globalKey = Symbol.for('opentelemetry.js.api.1')

function registeredApi(): RegisteredApi | undefined {
  return (globalThis as { [globalKey]?: RegisteredApi })[globalKey]
}

/** Whether the application has registered a tracer provider. */
export function hasOpenTelemetry(): boolean {
  return registeredApi()?.trace !== undefined
}

/** A tracer of the provider that the application has registered; `undefined` as long as it has not. */
export function registeredTracer(): OpenTelemetryTracer | undefined {
  try {
    return registeredApi()?.trace?.getTracer('upkeep')
  } catch {
    return undefined
  }
}

export function registeredContextManager(): OpenTelemetryContextManager | undefined {
  return registeredApi()?.context
}

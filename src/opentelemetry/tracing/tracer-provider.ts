import type { Context, Span, SpanOptions, Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api'
import { ContextWithSpan, rootContext, spanOfView } from '../../tracing/context/context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import {
  type OpenTelemetryContext,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  ownProvider,
  registeredContextManager,
  registeredTracerProvider,
  spanKey,
} from '../../tracing/open-telemetry.ts'
import { invalidSpan } from '../../tracing/spans/remote-span.ts'

/** The part of OpenTelemetry's API with which a tracer provider is registered. */
interface TraceApi {
  setGlobalTracerProvider(provider: TracerProvider): boolean
  disable(): void
}

/** A tracer provider of upkeep, and how many have registered it. */
interface OwnTracerProvider extends TracerProvider {
  readonly [ownProvider]: { users: number }
}

/**
 * Registers a tracer provider whose spans are those of the tracing of this process. Several callers share one, which is
 * unregistered with the last of them. Returns the function that does that, or `undefined` if the application has
 * registered a provider of its own.
 */
export function registerOwnTracerProvider(trace: TraceApi): (() => void) | undefined {
  let provider = registeredOwnProvider()
  if (provider === undefined) {
    provider = createTracerProvider()
    if (!trace.setGlobalTracerProvider(provider)) return undefined
  }
  const registered = provider
  registered[ownProvider].users += 1
  let isRegistered = true
  return () => {
    if (!isRegistered) return
    isRegistered = false
    registered[ownProvider].users -= 1
    if (registered[ownProvider].users === 0 && registeredOwnProvider() === registered) trace.disable()
  }
}

function registeredOwnProvider(): OwnTracerProvider | undefined {
  const provider = registeredTracerProvider()
  // Safe: only upkeep's providers have this symbol.
  return provider !== undefined && ownProvider in provider ? (provider as OwnTracerProvider) : undefined
}

function createTracerProvider(): OwnTracerProvider {
  const tracers = new Map<string, ApiTracer>()
  return {
    [ownProvider]: { users: 0 },
    getTracer(name: string, version?: string, { schemaUrl }: TracerOptions = {}): Tracer {
      const key = JSON.stringify([name, version, schemaUrl])
      const known = tracers.get(key)
      if (known !== undefined) return known
      const tracer = new ApiTracer(scopeOf(name, version, schemaUrl))
      tracers.set(key, tracer)
      return tracer
    },
  }
}

function scopeOf(name: unknown, version: unknown, schemaUrl: unknown): OpenTelemetryScope {
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof version === 'string' && { version }),
    ...(typeof schemaUrl === 'string' && { schemaUrl }),
  }
}

type Run = (span: Span) => unknown

/** OpenTelemetry's `Tracer` of one scope. Its spans are those of the tracing of this process at that time. */
class ApiTracer implements Tracer {
  readonly #scope: OpenTelemetryScope

  constructor(scope: OpenTelemetryScope) {
    this.#scope = scope
  }

  startSpan(name: string, options?: SpanOptions | null, context: Context = activeContext()): Span {
    const span = currentTracing()?.startApiSpan(this.#scope, String(name), options ?? {}, context) ?? invalidSpan
    return asApiSpan(span)
  }

  startActiveSpan<F extends Run>(name: string, fn: F): ReturnType<F>
  startActiveSpan<F extends Run>(name: string, options: SpanOptions, fn: F): ReturnType<F>
  startActiveSpan<F extends Run>(name: string, options: SpanOptions, context: Context, fn: F): ReturnType<F>
  startActiveSpan(name: string, ...given: readonly unknown[]): unknown {
    if (given.length === 0) return undefined
    const fn = given.at(-1) as Run
    const [options, context = activeContext()] = given.slice(0, -1) as [SpanOptions?, Context?]
    const span = this.startSpan(name, options, context)
    const run = () => fn(span)
    const manager = registeredContextManager()
    if (manager !== undefined) return manager.with(contextWith(context, span), run)
    const storage = currentTracing()?.storage
    return storage === undefined ? run() : storage.run(contextWith(context, span), run)
  }
}

function activeContext(): OpenTelemetryContext {
  const stored = registeredContextManager()?.active() ?? currentTracing()?.storage.getStore()
  // Safe: tracings and context managers store nothing but contexts.
  return (stored as OpenTelemetryContext | undefined) ?? rootContext
}

/** Returns the context with a span; one of upkeep's own if the span is, which costs less. */
function contextWith(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext {
  const own = spanOfView(span)
  return own === undefined ? context.setValue(spanKey, span) : new ContextWithSpan(context, own)
}

/** Safe: the spans of this package implement the whole interface, which a test compares. */
function asApiSpan(span: OpenTelemetrySpan): Span {
  return span as Span
}

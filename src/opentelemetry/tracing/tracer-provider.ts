import type { Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api'
import { type OpenTelemetryScope, ownProvider, registeredTracerProvider } from '../../tracing/open-telemetry.ts'
import { ApiTracer } from './api-tracer.ts'

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

import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { sharedStorage } from '../current-tracing.ts'
import {
  type ApiSpanOptions,
  type OpenTelemetryContext,
  type OpenTelemetryContextManager,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  spanKey,
  suppressTracingKey,
} from '../open-telemetry.ts'
import type { Span, SpanOptions } from '../span.ts'
import { type BridgedSpan, bridged } from '../spans/bridged-span.ts'
import { SdkSpan } from '../spans/sdk-span.ts'
import { isValidSpanContext } from '../spans/span-context.ts'
import type { ServerSpanDescription, Tracing } from '../tracing.ts'
import type { TracingControl } from '../tracing-control.ts'
import { ContextWithSpan, EnteredContext, rootContext, spanOfContext, spanOfView, valuesAround } from './context.ts'
import { type Baggage, baggageKey, baggageOf } from './context-baggage.ts'
import { isOwnManager } from './context-manager.ts'

/** The part that all tracings share: which span is active. How spans are started is left to the subclasses. */
export abstract class ContextTracing implements Tracing {
  readonly storage: AsyncLocalStorage<unknown> = sharedStorage()
  abstract readonly clock: Clock | undefined
  readonly control: TracingControl
  /** `undefined` unless OpenTelemetry's contexts are stored elsewhere than in `storage`. */
  readonly #manager: OpenTelemetryContextManager | undefined
  /** The same span is the same object whenever it is active. */
  readonly #sdkSpans = new WeakMap<OpenTelemetrySpan, SdkSpan>()

  constructor(control: TracingControl, manager: OpenTelemetryContextManager | undefined) {
    this.control = control
    this.#manager = manager !== undefined && isOwnManager(manager) ? undefined : manager
  }

  get ownsContexts(): boolean {
    return this.#manager === undefined
  }

  abstract startSpan(name: string, options?: SpanOptions): Span

  abstract startServerSpan<S>(
    parent: TraceContext | undefined,
    source: S,
    description: ServerSpanDescription<S>,
    startedAt?: number,
  ): Span

  abstract startApiSpan(
    scope: OpenTelemetryScope,
    name: string,
    options: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan

  activeSpan(): Span | undefined {
    const active = this.activeContext()
    return active === undefined ? undefined : this.#spanIn(active)
  }

  run<T>(span: Span, fn: () => T, baggage?: Baggage): T {
    const manager = this.#manager
    if (manager === undefined) return this.storage.run(this.#contextWith(span, baggage), fn)
    return manager.with(new ContextWithSpan(withBaggage(manager.active(), baggage), bridged(span)), fn)
  }

  runRequest<T>(span: Span, fn: () => T, baggage?: Baggage): T {
    if (this.#manager !== undefined) return this.run(span, fn, baggage)
    return runIsolated(this.storage, this.#contextWith(span, baggage), fn)
  }

  enterRequest(span: Span, baggage?: Baggage): void {
    this.storage.enterWith(this.#enteredContext(span, baggage))
  }

  leaveRequest(): void {
    if (this.storage.getStore() !== undefined) this.storage.enterWith(undefined)
  }

  activeBaggage(): Baggage | undefined {
    return baggageOf(this.activeContext())
  }

  runWithBaggage<T>(baggage: Baggage, fn: () => T): T {
    const active = this.activeContext() ?? rootContext
    const own = spanOfContext(active)
    const around = withBaggage(active, baggage)
    const context = own === undefined ? around : new ContextWithSpan(around, own)
    return this.#manager === undefined ? this.storage.run(context, fn) : this.#manager.with(context, fn)
  }

  contextWith(span: Span): unknown {
    return this.#enteredContext(span, undefined)
  }

  #enteredContext(span: Span, baggage: Baggage | undefined): unknown {
    if (this.#manager === undefined) return this.#contextWith(span, baggage)
    const active = this.#manager.active()
    return new EnteredContext(withBaggage(active, baggage), bridged(span), active)
  }

  #contextWith(span: Span, baggage: Baggage | undefined): ContextWithSpan {
    return new ContextWithSpan(withBaggage(this.activeContext() ?? rootContext, baggage), bridged(span))
  }

  isSuppressed(): boolean {
    return this.activeContext()?.getValue(suppressTracingKey) === true
  }

  protected activeContext(): OpenTelemetryContext | undefined {
    // Safe: tracings and the context manager store nothing but contexts in it.
    const stored = this.storage.getStore() as OpenTelemetryContext | undefined
    if (this.#manager === undefined) return stored
    const managed = this.#manager.active()
    return stored instanceof EnteredContext && stored.wasEnteredIn(managed) ? stored : managed
  }

  /** Returns the parent of a new span: by default the active span; `undefined` for the root of a trace. */
  protected parentOf(parent: SpanOptions['parent']): Span | TraceContext | undefined {
    return parent === 'root' ? undefined : (parent ?? this.activeSpan())
  }

  /**
   * Returns the parent of a span that is started in a context: its span, the context of a caller, or `undefined` for
   * the root of a trace, also if its span has no valid ids.
   */
  protected parentIn(context: OpenTelemetryContext): Span | TraceContext | undefined {
    const span = this.#spanIn(context)
    if (!(span instanceof SdkSpan)) return span
    const spanContext = span.openTelemetry.spanContext()
    if (!isValidSpanContext(spanContext)) return undefined
    return spanContext.isRemote === true ? span.context : span
  }

  /** Wraps a span that an SDK has started. */
  protected wrap(span: OpenTelemetrySpan, parentFlags: number): SdkSpan {
    const wrapped = new SdkSpan(span, parentFlags)
    this.#sdkSpans.set(span, wrapped)
    return wrapped
  }

  #spanIn(context: OpenTelemetryContext): BridgedSpan | undefined {
    const own = spanOfContext(context)
    if (own !== undefined) return own
    const span = context.getValue(spanKey) as OpenTelemetrySpan | undefined
    if (span === undefined) return undefined
    return spanOfView(span) ?? this.#sdkSpans.get(span) ?? this.wrap(span, 0)
  }
}

/** Adds a baggage to the values around the span of a context, if it has one of upkeep. */
function withBaggage(context: OpenTelemetryContext, baggage: Baggage | undefined): OpenTelemetryContext {
  return baggage === undefined ? context : valuesAround(context).setValue(baggageKey, baggage)
}

const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:async_hooks'))

/** Since Node 24 all storages of a flow are in one frame, which is copied whenever one of them changes. */
const hasFrames = Number(process.versions.node.split('.')[0]) >= 24

/**
 * Runs a function with a value in a storage. Unlike with `storage.run`, values that the function enters into other
 * storages are not visible after it either. With frames that is cheaper: `run` copies the frame again when it returns,
 * the scope of an AsyncResource does not.
 */
export function runIsolated<T>(storage: AsyncLocalStorage<unknown>, value: unknown, fn: () => T): T {
  if (!hasFrames) return storage.run(value, fn)
  const resource = new (hooks().AsyncResource)('UPKEEP_REQUEST')
  return resource.runInAsyncScope<undefined, T>(enter, undefined, storage, value, fn)
}

function enter<T>(storage: AsyncLocalStorage<unknown>, value: unknown, fn: () => T): T {
  storage.enterWith(value)
  return fn()
}

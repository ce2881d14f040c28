import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from '../open-telemetry.ts'
import type { Span } from '../span.ts'

/** A span of ours, and as OpenTelemetry sees it. */
export interface BridgedSpan extends Span {
  /** Whether its trace is sampled: told without making ids. */
  readonly isSampled: boolean
  readonly openTelemetry: OpenTelemetrySpan
}

/** Spans are made in this room alone. */
export function bridged(span: Span): BridgedSpan {
  return span as BridgedSpan
}

/** What there is outside of any trace. */
export const rootContext: OpenTelemetryContext = {
  getValue: () => undefined,
  setValue: (key, value) => new ContextWithValues(rootContext, new Map([[key, value]])),
  deleteValue: () => rootContext,
}

/**
 * The context in which a span is active: what is kept in the storage, and what OpenTelemetry is given for a context. It
 * knows of no span around its own: work that leads to work without end would keep all of it.
 */
export class ContextWithSpan implements OpenTelemetryContext {
  readonly outer: OpenTelemetryContext
  readonly span: BridgedSpan

  constructor(outer: OpenTelemetryContext, span: BridgedSpan) {
    this.outer = (outer as Partial<ContextWithSpan>).outer ?? outer
    this.span = span
  }

  getValue(key: symbol): unknown {
    return key === spanKey ? this.span.openTelemetry : this.outer.getValue(key)
  }

  setValue(key: symbol, value: unknown): OpenTelemetryContext {
    return valuesOf(this.outer).setValue(spanKey, this.span.openTelemetry).setValue(key, value)
  }

  deleteValue(key: symbol): OpenTelemetryContext {
    return key === spanKey ? valuesOf(this.outer).deleteValue(key) : this.setValue(key, undefined)
  }
}

/** Returns the span of a scope, also of one that another copy of upkeep made; `undefined` for any other context. */
export function spanOfContext(context: OpenTelemetryContext): BridgedSpan | undefined {
  return (context as Partial<ContextWithSpan>).span
}

function valuesOf(context: OpenTelemetryContext): ContextWithValues {
  return context instanceof ContextWithValues ? context : new ContextWithValues(context, new Map())
}

/** A context as OpenTelemetry makes them: with values of its own, copied at each step. */
class ContextWithValues implements OpenTelemetryContext {
  readonly #outer: OpenTelemetryContext
  readonly #values: ReadonlyMap<symbol, unknown>

  constructor(outer: OpenTelemetryContext, values: ReadonlyMap<symbol, unknown>) {
    this.#outer = outer
    this.#values = values
  }

  getValue(key: symbol): unknown {
    return this.#values.has(key) ? this.#values.get(key) : this.#outer.getValue(key)
  }

  setValue(key: symbol, value: unknown): OpenTelemetryContext {
    return new ContextWithValues(this.#outer, new Map([...this.#values, [key, value]]))
  }

  deleteValue(key: symbol): OpenTelemetryContext {
    return this.setValue(key, undefined)
  }
}

/** What a span made active in our storage, beside a manager of the application's: inside which of its contexts that was. */
export class EnteredContext extends ContextWithSpan {
  readonly #inside: WeakRef<OpenTelemetryContext>

  constructor(inside: OpenTelemetryContext, span: BridgedSpan) {
    super(inside, span)
    this.#inside = new WeakRef(inside)
  }

  wasEnteredIn(context: OpenTelemetryContext): boolean {
    return this.#inside.deref() === context
  }
}

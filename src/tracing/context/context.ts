import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from '../open-telemetry.ts'
import type { BridgedSpan } from '../spans/bridged-span.ts'

/*
 * The contexts of an asynchronous flow, and what they refer to (──▶ strongly, ┄┄▶ weakly):
 *
 *   rootContext ◀── ContextWithValues ◀──┬── ContextWithSpan ──▶ span A
 *                   baggage, …           │
 *                                        └── ContextWithSpan ──▶ span B, started while A was active
 *
 * B runs inside A, but its context refers to the values around A, and not to A's context. Otherwise work that leads to
 * further work without end, such as a timer that sets the next one, would retain every span since the first.
 *
 * If the application has a context manager of its own, that manager stores the active context. Only diagnostics
 * channels, which need an AsyncLocalStorage, enter a context in upkeep's storage beside it:
 *
 *   the manager:  M                       active when the operation started
 *                 ▲
 *                 ┊ enteredIn
 *                 ┊
 *   the storage:  EnteredContext ──▶ span of the operation
 *
 * As long as M is the manager's active context, the EnteredContext is the inner one of the two, and counts. Once the
 * application has entered another context, it is M that matters. The reference is weak for the reason above: M may be
 * the context of a span.
 */

/** The context outside of any trace. */
export const rootContext: OpenTelemetryContext = {
  getValue: () => undefined,
  setValue: (key, value) => new ContextWithValues(rootContext, new Map([[key, value]])),
  deleteValue: () => rootContext,
}

/** A context in which a span is active. It is stored in the storage, and given to OpenTelemetry. */
export class ContextWithSpan implements OpenTelemetryContext {
  /** The values around the span; never a `ContextWithSpan`. Read of instances of other copies of upkeep, too. */
  readonly outer: OpenTelemetryContext
  readonly span: BridgedSpan

  constructor(around: OpenTelemetryContext, span: BridgedSpan) {
    this.outer = valuesAround(around)
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

/** Returns the values around the span of a `ContextWithSpan`, also of another copy of upkeep; else the context itself. */
export function valuesAround(context: OpenTelemetryContext): OpenTelemetryContext {
  return (context as Partial<ContextWithSpan>).outer ?? context
}

/** Returns the span of a `ContextWithSpan`, also of another copy of upkeep; `undefined` for any other context. */
export function spanOfContext(context: OpenTelemetryContext): BridgedSpan | undefined {
  return (context as Partial<ContextWithSpan>).span
}

/**
 * Returns the upkeep span behind an OpenTelemetry span, also of another copy of upkeep; `undefined` for an SDK's span.
 */
export function spanOfView(span: OpenTelemetrySpan): BridgedSpan | undefined {
  return (span as { readonly upkeepSpan?: BridgedSpan }).upkeepSpan
}

/** A context with values by key, like OpenTelemetry's own: each change is a copy. */
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

function valuesOf(context: OpenTelemetryContext): ContextWithValues {
  return context instanceof ContextWithValues ? context : new ContextWithValues(context, new Map())
}

/**
 * A context with a span that was entered in upkeep's storage while the application's manager had another one active.
 */
export class EnteredContext extends ContextWithSpan {
  readonly #enteredIn: WeakRef<OpenTelemetryContext>

  constructor(around: OpenTelemetryContext, span: BridgedSpan, enteredIn: OpenTelemetryContext) {
    super(around, span)
    this.#enteredIn = new WeakRef(enteredIn)
  }

  wasEnteredIn(context: OpenTelemetryContext): boolean {
    return this.#enteredIn.deref() === context
  }
}

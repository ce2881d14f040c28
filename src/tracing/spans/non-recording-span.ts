import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Span } from '../span.ts'
import { type BridgedSpan, childContext, isSampled } from './bridged-span.ts'
import { ContextOnlySpan } from './remote-span.ts'
import { toSpanContext } from './span-context.ts'

/** A span that is not recorded, and exists for its ids. They are generated on first read: most are never read. */
export class NonRecordingSpan implements BridgedSpan {
  readonly #parent: Span | TraceContext | undefined
  readonly #isSampledRoot: boolean
  readonly #ids: TraceIds
  #context: TraceContext | undefined = undefined
  #openTelemetry: OpenTelemetrySpan | undefined = undefined

  /** `isSampledRoot` applies only without a parent; otherwise the parent's flags do. */
  constructor(parent: Span | TraceContext | undefined, isSampledRoot: boolean, ids: TraceIds) {
    this.#parent = parent
    this.#isSampledRoot = isSampledRoot
    this.#ids = ids
  }

  get context(): TraceContext {
    this.#context ??= childContext(this.#parent, this.#ids, randomFlag | (this.#isSampledRoot ? sampledFlag : 0))
    return this.#context
  }

  get isSampled(): boolean {
    return this.#parent === undefined ? this.#isSampledRoot : isSampled(this.#parent)
  }

  get isRecording(): boolean {
    return false
  }

  get openTelemetry(): OpenTelemetrySpan {
    this.#openTelemetry ??= new NonRecordingSpanView(this)
    return this.#openTelemetry
  }

  setAttributes(): void {}

  rename(): void {}

  fail(): void {}

  end(): void {}
}

class NonRecordingSpanView extends ContextOnlySpan {
  readonly upkeepSpan: NonRecordingSpan

  constructor(span: NonRecordingSpan) {
    super()
    this.upkeepSpan = span
  }

  protected makeSpanContext(): OpenTelemetrySpanContext {
    return toSpanContext(this.upkeepSpan.context, false)
  }
}

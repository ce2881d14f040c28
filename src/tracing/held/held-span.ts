import { sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { Span } from '../span.ts'
import type { AddAttribute, DeferredAttributes, RecordedAttributes, RecordedValue } from '../spans/attributes.ts'
import { NativeSpan } from '../spans/native-span.ts'
import type { SpanRecorder } from '../spans/span-recorder.ts'
import { type HeldItem, type HeldRequest, type KeptReason, keptAttribute } from './held-request.ts'
import { bytesOfSpan } from './span-bytes.ts'

/** What a span is started with. */
interface HeldSpanParts {
  readonly request: HeldRequest
  readonly recorder: SpanRecorder
  readonly name: string
  readonly kind: number
  readonly attributes: RecordedAttributes | DeferredAttributes | undefined
  readonly parent: Span | TraceContext | undefined
  readonly isSampled: boolean
  readonly startedAt?: number | undefined
}

/**
 * A span of a request whose spans and log records are held. If it is not sampled, it is exported only if the request is
 * kept, with the sampled flag then: processors and receivers discard spans without.
 */
export class HeldSpan extends NativeSpan implements HeldItem {
  readonly heldRequest: HeldRequest
  readonly #isSampled: boolean
  #context: TraceContext | undefined = undefined
  #bytes = 0
  #keptReason: KeptReason | undefined = undefined

  constructor({ request, recorder, name, kind, attributes, parent, isSampled, startedAt }: HeldSpanParts) {
    super(recorder, name, kind, attributes, parent, startedAt)
    this.heldRequest = request
    this.#isSampled = isSampled
  }

  get signal(): 'traces' {
    return 'traces'
  }

  get bytes(): number {
    return this.#bytes
  }

  keep(reason: KeptReason): void {
    this.#keptReason = reason
    super.pass()
  }

  override get context(): TraceContext {
    if (this.#isSampled) return super.context
    // A root is otherwise sampled.
    this.#context ??= { ...super.context, flags: super.context.flags & ~sampledFlag }
    return this.#context
  }

  override get isSampled(): boolean {
    return this.#isSampled
  }

  override get traceFlags(): number {
    const flags = super.traceFlags & ~sampledFlag
    return this.#isSampled || this.#keptReason !== undefined ? flags | sampledFlag : flags
  }

  override get attributes(): Readonly<Record<string, RecordedValue>> {
    const reason = this.#keptReason
    return reason === undefined ? super.attributes : { [keptAttribute]: reason, ...super.attributes }
  }

  override forEachAttribute(add: AddAttribute): void {
    if (this.#keptReason !== undefined) add(keptAttribute, this.#keptReason)
    super.forEachAttribute(add)
  }

  protected override pass(): void {
    if (this.#isSampled) {
      super.pass()
      return
    }
    if (!this.heldRequest.accepts) return
    this.#bytes = bytesOfSpan(this)
    this.heldRequest.add(this)
  }
}

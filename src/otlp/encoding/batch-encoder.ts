import type { Clock } from '../../base/clock.ts'
import { createPacer } from '../../base/pacer.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { Envelope, envelopeFields, type Scope } from './envelope.ts'
import type { Encoding, Field, MessageWriter } from './message-writer.ts'

interface BatchEncoderOptions<T> {
  readonly encoding: Encoding
  readonly resource: ResourceAttributes
  /** The names of the two outer messages of a request. */
  readonly outer: readonly [resources: string, scopes: string]
  /** The field of each item. */
  readonly item: Field
  /** Groups items by their scope. */
  readonly group: (items: readonly T[]) => Iterable<readonly [scope: Scope, items: readonly T[]]>
  /** Writes the fields of one item. */
  readonly write: (out: MessageWriter, item: T) => void
}

/** Encodes items as a request. */
export type BatchEncoder<T> = (items: readonly T[], clock: Clock) => Promise<readonly Uint8Array[]>

/** How many items are encoded between two looks at the clock. */
const itemsPerLook = 16

/** Returns a function that encodes items as a request, with turns of the event loop for others between them. */
export function createBatchEncoder<T>(options: BatchEncoderOptions<T>): BatchEncoder<T> {
  const { encoding, resource, item: field, group, write } = options
  const fields = envelopeFields(...options.outer)
  let spare: MessageWriter | undefined
  return async (items, clock) => {
    // A writer that is in use, or whose batch failed because reading an item threw, is not used again.
    const out = spare ?? encoding.createWriter()
    spare = undefined
    const envelope = new Envelope(out, fields, resource)
    const pacer = createPacer(clock)
    let count = 0
    for (const [scope, members] of group(items)) {
      for (const item of members) {
        envelope.begin(scope)
        const token = out.begin(field)
        write(out, item)
        out.end(token)
        count += 1
        if (count % itemsPerLook === 0 && pacer.isDue()) await pacer.yield()
      }
    }
    envelope.end()
    // Exactly as much memory as its bytes: a batch may wait for long.
    const pieces = out.take()
    const body = [Buffer.concat(pieces)]
    out.reuse(pieces)
    spare = out
    return body
  }
}

import type { Clock } from '../../base/clock.ts'
import { createPacer } from '../../base/pacer.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { writeAttributes } from './encode-attributes.ts'
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

/** The length of most items is between 128 and 16,383 bytes. */
const lengthBytes = 2

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
        const token = out.begin(field, lengthBytes)
        write(out, item)
        out.end(token, lengthBytes)
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

/** The instrumentation scope of items. */
export interface Scope {
  readonly name: string
  readonly version?: string | undefined
}

const resourceFields = {
  resource: { number: 1, name: 'resource' },
  attributes: { number: 1, name: 'attributes', isRepeated: true },
} as const satisfies Record<string, Field>

const scopeFields = {
  scope: { number: 1, name: 'scope' },
  name: { number: 1, name: 'name' },
  version: { number: 2, name: 'version' },
} as const satisfies Record<string, Field>

/** The names of the two outer messages of a request, which are numbered alike for all signals. */
interface EnvelopeFields {
  readonly resources: Field
  readonly scopes: Field
}

export function envelopeFields(resources: string, scopes: string): EnvelopeFields {
  return {
    resources: { number: 1, name: resources, isRepeated: true },
    scopes: { number: 2, name: scopes, isRepeated: true },
  }
}

/** Writes the messages around the items of a request: the resource, and the scopes of that resource. */
export class Envelope {
  readonly #out: MessageWriter
  readonly #fields: EnvelopeFields
  readonly #resource: ResourceAttributes
  #resourceToken: number | undefined
  #scopeToken: number | undefined
  #scope: Scope | undefined

  constructor(out: MessageWriter, fields: EnvelopeFields, resource: ResourceAttributes) {
    this.#out = out
    this.#fields = fields
    this.#resource = resource
  }

  /** Begins the items of a scope, unless they have begun already. */
  begin(scope: Scope): void {
    if (this.#scope === scope) return
    const out = this.#out
    if (this.#resourceToken === undefined) this.#resourceToken = this.#beginResource()
    this.#endScope()
    this.#scope = scope
    this.#scopeToken = out.begin(this.#fields.scopes)
    const token = out.begin(scopeFields.scope)
    out.string(scopeFields.name, scope.name)
    if (scope.version !== undefined) out.string(scopeFields.version, scope.version)
    out.end(token)
  }

  /** Ends all messages, so that another request can begin. */
  end(): void {
    this.#endScope()
    if (this.#resourceToken !== undefined) this.#out.end(this.#resourceToken)
    this.#resourceToken = undefined
  }

  #beginResource(): number {
    const resources = this.#out.begin(this.#fields.resources)
    const token = this.#out.begin(resourceFields.resource)
    writeAttributes(this.#out, resourceFields.attributes, this.#resource)
    this.#out.end(token)
    return resources
  }

  #endScope(): void {
    if (this.#scopeToken !== undefined) this.#out.end(this.#scopeToken)
    this.#scopeToken = undefined
    this.#scope = undefined
  }
}

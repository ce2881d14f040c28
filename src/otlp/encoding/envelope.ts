import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { writeAttributes } from './encode-attributes.ts'
import type { Field, MessageWriter } from './message-writer.ts'

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

import type { Tags } from '../../metrics/series/tags.ts'
import type { TimerOptions } from '../../metrics/timer.ts'
import type { DatabaseOperation, MessagingOperation } from '../client-operations.ts'
import type { ClientRequest } from '../http-client/outgoing-request.ts'
import type { BegunRequestFacts, EndedRequestFacts, ReadProtocol } from '../http-server/request-facts.ts'

/** How the meters of requests and operations are named: their names, units, tags and buckets. */
export interface Convention {
  readonly httpServer: {
    readonly protocolOf: ReadProtocol
    readonly requests: MeterTemplate<EndedRequestFacts>
    readonly active: ActiveRequestsTemplate
  }
  readonly httpClient: { readonly requests: MeterTemplate<ClientRequest> }
  readonly database: { readonly operations: MeterTemplate<DatabaseOperation> }
  readonly messaging: {
    readonly send: MeterTemplate<MessagingOperation>
    readonly process: MeterTemplate<MessagingOperation>
    /** Counters of messages. */
    readonly sent: MeterTemplate<MessagingOperation>
    readonly consumed: MeterTemplate<MessagingOperation>
  }
}

/** The requests in progress: a long task timer, or a gauge of their number. */
export interface ActiveRequestsTemplate extends MeterTemplate<BegunRequestFacts> {
  readonly kind: 'longTaskTimer' | 'gauge'
}

/** How a convention names one meter of operations. `F` is what is known of an operation. */
export interface MeterTemplate<F> {
  readonly name: string
  /** The unit of the values if the meter is not a timer. */
  readonly baseUnit?: string
  /** One object for all meters of the template, so that they share their buckets. */
  readonly options: TimerOptions
  /** Returns the value of each tag. A tag without a value is omitted. */
  readonly tags: TagReaders<F>
}

/** Functions that return the values of tags, by key. */
export type TagReaders<F> = Readonly<Record<string, (facts: F) => string | undefined>>

/** Returns the tags of an operation. */
export function tagsOf<F>(readers: TagReaders<F>, facts: F): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const [key, read] of Object.entries(readers)) {
    const value = read(facts)
    if (value !== undefined) tags[key] = value
  }
  return tags
}

/** Maximum number of cached meters; the registry has them all. */
const maxCached = 1_024

interface Branch<M> {
  readonly children: Map<string | undefined, Branch<M>>
  meter: M | undefined
}

/** The meters of one template, found by their tag values without creating an object or a key. */
export class TemplateMeters<F, M> {
  readonly #template: MeterTemplate<F>
  readonly #create: (tags: Tags) => M
  readonly #readers: readonly ((facts: F) => string | undefined)[]
  #root: Branch<M> = createBranch()
  #cached = 0

  constructor(template: MeterTemplate<F>, create: (tags: Tags) => M) {
    this.#template = template
    this.#create = create
    this.#readers = Object.values(template.tags)
  }

  /** Returns the meter of an operation. Throws what creating a meter does. */
  get(facts: F): M {
    let branch = this.#root
    for (const read of this.#readers) {
      const value = read(facts)
      let child = branch.children.get(value)
      if (child === undefined) {
        child = createBranch<M>()
        branch.children.set(value, child)
      }
      branch = child
    }
    return branch.meter ?? this.#add(branch, facts)
  }

  #add(branch: Branch<M>, facts: F): M {
    const meter = this.#create(tagsOf(this.#template.tags, facts))
    if (this.#cached >= maxCached) {
      this.#root = createBranch()
      this.#cached = 0
    } else {
      branch.meter = meter
      this.#cached += 1
    }
    return meter
  }
}

function createBranch<M>(): Branch<M> {
  return { children: new Map(), meter: undefined }
}

import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import { ActiveTasks } from '../../metrics/active-tasks.ts'
import { activeTasksOf } from '../../metrics/long-task-timer.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Tags } from '../../metrics/series/tags.ts'
import type { Timer } from '../../metrics/timer.ts'
import { type ActiveRequestsTemplate, type Convention, TemplateMeters, tagsOf } from '../conventions/convention.ts'
import { noException } from '../request-tags.ts'
import type { RequestView } from './exchange-view.ts'
import type { BegunRequestFacts, Protocol } from './request-facts.ts'

/** Maximum number of cached templates; more are not templates but paths. */
const maxTemplates = 1_024

type HttpServerConvention = Convention['httpServer']

/** The meters of the requests of one method and protocol. */
export class RequestMeters {
  readonly facts: BegunRequestFacts
  /** The requests in progress. */
  readonly active: ActiveTasks
  readonly #meters: MeterRegistry
  readonly #convention: HttpServerConvention
  readonly #timers = new Map<string | undefined, Map<number, Timer>>()
  /** The timer of the request before: the next one often has the same template and status. */
  #latest: Timer | undefined = undefined
  #latestTemplate: string | undefined = undefined
  #latestStatus = 0

  constructor(meters: MeterRegistry, convention: HttpServerConvention, facts: BegunRequestFacts, active: ActiveTasks) {
    this.#meters = meters
    this.#convention = convention
    this.facts = facts
    this.active = active
  }

  /** Records the duration of a request that has ended, in seconds. `status` is one of `EndedRequestFacts`. */
  record(template: string | undefined, status: number, exception: string, seconds: number): void {
    const isLatest = status === this.#latestStatus && template === this.#latestTemplate && exception === noException
    const latest = isLatest ? this.#latest : undefined
    ;(latest ?? this.#find(template, status, exception)).record(seconds)
  }

  #find(template: string | undefined, status: number, exception: string): Timer {
    const known = exception === noException ? this.#timers.get(template)?.get(status) : undefined
    const { name, tags, options } = this.#convention.requests
    const timer =
      known ?? this.#meters.timer(name, tagsOf(tags, { ...this.facts, template, status, exception }), options)
    if (exception !== noException) return timer
    if (known === undefined) {
      if (this.#timers.size >= maxTemplates) this.#timers.clear()
      const ofTemplate = this.#timers.get(template) ?? new Map<number, Timer>()
      this.#timers.set(template, ofTemplate.set(status, timer))
    }
    this.#latest = timer
    this.#latestTemplate = template
    this.#latestStatus = status
    return timer
  }
}

/** The key of the methods that are not known, which share their meters. */
const otherMethods = ''

/** The meters of requests by method and protocol. They are created with the first request that has these. */
export class RequestMetersIndex {
  readonly #meters: MeterRegistry
  readonly #convention: HttpServerConvention
  readonly #active: TemplateMeters<BegunRequestFacts, ActiveTasks>
  /** By the index of the protocol, then by method. */
  readonly #known: Map<string | undefined, RequestMeters>[] = []
  #latest: RequestMeters | undefined = undefined

  /** `failed` is called if the meter of the requests in progress cannot be created. */
  constructor(meters: MeterRegistry, convention: HttpServerConvention, failed: (error: unknown) => void) {
    this.#meters = meters
    this.#convention = convention
    this.#active = new TemplateMeters(convention.active, (tags) => {
      try {
        return createActive(meters, convention.active, tags)
      } catch (error) {
        failed(error)
        return new ActiveTasks()
      }
    })
  }

  of(request: RequestView): RequestMeters {
    const { method } = request
    const protocol = this.#convention.protocolOf(request)
    // Most requests have the method and protocol of the one before.
    const latest = this.#latest
    if (latest !== undefined && latest.facts.method === method && latest.facts.protocol === protocol) return latest
    this.#latest = this.#known[protocol.index]?.get(method) ?? this.#find(method, protocol)
    return this.#latest
  }

  /** Returns the lists of the requests in progress. */
  active(): ReadonlySet<ActiveTasks> {
    return new Set(this.#known.flatMap((byMethod) => [...(byMethod?.values() ?? [])].map(({ active }) => active)))
  }

  #find(method = 'GET', protocol: Protocol): RequestMeters {
    const facts = { method: isKnownMethod(method) ? method : undefined, protocol }
    const key = facts.method ?? otherMethods
    const ofProtocol = this.#known[protocol.index] ?? new Map<string | undefined, RequestMeters>()
    this.#known[protocol.index] = ofProtocol
    const known = ofProtocol.get(key)
    if (known !== undefined) return known
    const created = new RequestMeters(this.#meters, this.#convention, facts, this.#active.get(facts))
    ofProtocol.set(key, created)
    return created
  }
}

function createActive(meters: MeterRegistry, template: ActiveRequestsTemplate, tags: Tags): ActiveTasks {
  const { kind, name, options, baseUnit } = template
  if (kind === 'longTaskTimer') return activeTasksOf(meters.longTaskTimer(name, tags, options))
  const tasks = new ActiveTasks()
  meters.gauge(name, tags, () => tasks.count, { description: options.description, baseUnit })
  return tasks
}

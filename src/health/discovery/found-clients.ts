import type { HealthCheck } from '../indicator.ts'
import type { ClientKind, ConnectionTarget, DiscoveredComponent } from './client-kind.ts'
import { clientKinds } from './clients/client-kinds.ts'
import { createTargetCheck, type LiveClient } from './target-check.ts'

/** What clients of the application are connected with. */
export interface FoundTarget {
  readonly component: DiscoveredComponent
  readonly target: ConnectionTarget
  readonly check: HealthCheck
}

/** The clients that have been found, by what they are connected with. References them weakly. */
export interface FoundClients {
  /** Adds a client, if the candidate is one. Never throws. */
  add(candidate: object): void
  /**
   * Returns what the clients of a component are connected with at present, the same objects each time: without those
   * whose clients the application has ended.
   */
  targetsOf(component: DiscoveredComponent): readonly FoundTarget[]
}

/** The most targets, and the most clients of each: an application that creates them without end has another problem. */
const maxTargets = 64
const maxClients = 256

interface Reference {
  readonly kind: ClientKind
  readonly client: WeakRef<object>
}

/** Found clients, for the discovery that looks for them. */
export interface ClientsInUse extends FoundClients {
  /** Whether a connection was lost that the application may open again, by another client. */
  hasLost(): boolean
}

/** Creates the clients that have been found; none yet. `onLost` is called when a connection is lost. */
export function createFoundClients(onLost: () => void): ClientsInUse {
  const targets = new Map<string, KnownTarget>()

  /** Returns the target of a client of which this is a connection; `unknown` if that has not been found. */
  function ownerOf({ isPartOf }: ClientKind, candidate: object): KnownTarget | 'unknown' | undefined {
    if (isPartOf === undefined) return undefined
    for (const known of targets.values()) {
      if (known.clients().some(({ client }) => isPartOf(candidate, client))) return known
    }
    return isPartOf(candidate, undefined) ? 'unknown' : undefined
  }

  function keep(key: string, target: KnownTarget): void {
    if (targets.size >= maxTargets) for (const [each, known] of targets) if (!known.isPresent()) targets.delete(each)
    if (targets.size < maxTargets) targets.set(key, target)
  }

  function add(candidate: object): void {
    const kind = clientKinds.find(({ isClient }) => isClient(candidate))
    if (kind === undefined) return
    const owner = ownerOf(kind, candidate)
    if (owner !== undefined) {
      // A pool that cannot connect has no connection, but has been used.
      if (owner !== 'unknown') owner.wasUsed = true
      return
    }
    const target = kind.targetOf(candidate)
    const key = JSON.stringify([kind.component, target.host, target.port, target.database])
    const known = targets.get(key) ?? new KnownTarget(kind.component, target, onLost)
    known.add(kind, candidate)
    keep(key, known)
  }

  return {
    add(candidate) {
      try {
        add(candidate)
      } catch {
        // Of another version than those that are known.
      }
    },
    targetsOf: (component) => [...targets.values()].filter((each) => each.component === component && each.isPresent()),
    hasLost: () => [...targets.values()].some(({ isLost }) => isLost),
  }
}

class KnownTarget implements FoundTarget {
  readonly component: DiscoveredComponent
  readonly target: ConnectionTarget
  readonly check: HealthCheck
  /** Whether a client that has no connection has been used. */
  wasUsed = false
  /** Whether the last connection broke, and the application has opened no other one. */
  isLost = false
  #references: readonly Reference[] = []
  readonly #onLost: () => void

  constructor(component: DiscoveredComponent, target: ConnectionTarget, onLost: () => void) {
    this.#onLost = onLost
    this.component = component
    this.target = target
    this.check = createTargetCheck(this)
  }

  add(kind: ClientKind, client: object): void {
    this.#references = [...this.#references.slice(1 - maxClients), { kind, client: new WeakRef(client) }]
    this.isLost = false
    const reference = this.#references.at(-1)
    kind.onClose?.(client, (isLost) => {
      this.#references = this.#references.filter((each) => each !== reference)
      // A connection that has turned out to be one of a pool is replaced by that.
      this.isLost = isLost && kind.isPartOf?.(client, undefined) !== true && this.clients().length === 0
      if (this.isLost) this.#onLost()
    })
  }

  isPresent(): boolean {
    return this.isLost || this.clients().length > 0
  }

  /** Returns the clients that exist, without those that the application has ended. */
  clients(): readonly LiveClient[] {
    return this.#references.flatMap(({ kind, client: reference }) => {
      const client = reference.deref()
      return client !== undefined && isUsable(kind, client) ? [{ kind, client }] : []
    })
  }
}

/** Whether the application has not ended a client, and no pool has it. `false` for one that cannot be read. */
function isUsable(kind: ClientKind, client: object): boolean {
  try {
    return kind.stateOf(client) !== 'ended' && kind.isPartOf?.(client, undefined) !== true
  } catch {
    return false
  }
}

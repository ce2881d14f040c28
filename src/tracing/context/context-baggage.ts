import { type BaggageMember, formatBaggage, parseBaggage } from '../../ids/trace-context/baggage.ts'
import type { OpenTelemetryContext } from '../open-telemetry.ts'

/** The key of a context's baggage. The same for every copy of OpenTelemetry's API. */
export const baggageKey: symbol = Symbol.for('OpenTelemetry Baggage Key')

interface BaggageEntry {
  readonly value: string
  readonly metadata?: { toString(): string } | undefined
}

/** `Baggage` of OpenTelemetry's API: what its functions expect in a context, and store there. */
interface OpenTelemetryBaggage {
  getEntry(key: string): BaggageEntry | undefined
  getAllEntries(): [string, BaggageEntry][]
  setEntry(key: string, entry: BaggageEntry): OpenTelemetryBaggage
  removeEntry(key: string): OpenTelemetryBaggage
  removeEntries(...keys: string[]): OpenTelemetryBaggage
  clear(): OpenTelemetryBaggage
}

/** Baggage in a context, immutable. It is parsed on first use: few requests read or propagate theirs. */
export class Baggage implements OpenTelemetryBaggage {
  #received: string | undefined
  /** The last of several members with one key is used; all are propagated. */
  #members: readonly BaggageMember[] | undefined
  #field: string | undefined = undefined

  constructor(members: string | readonly BaggageMember[]) {
    if (typeof members === 'string') this.#received = members
    else this.#members = members
  }

  get members(): readonly BaggageMember[] {
    this.#members ??= parseBaggage(this.#received)
    this.#received = undefined
    return this.#members
  }

  /** The header field. */
  get field(): string {
    this.#field ??= formatBaggage(this.members)
    return this.#field
  }

  get(key: string): string | undefined {
    return this.members.findLast((member) => member.key === key)?.value
  }

  /** Returns a baggage in which these values replace others; `undefined` removes one. */
  with(entries: Readonly<Record<string, string | undefined>>): Baggage {
    const added = Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : { key, value }))
    return new Baggage([...added, ...this.members.filter(({ key }) => !Object.hasOwn(entries, key))])
  }

  getEntry(key: string): BaggageEntry | undefined {
    const member = this.members.findLast((each) => each.key === key)
    return member && toEntry(member)
  }

  getAllEntries(): [string, BaggageEntry][] {
    return this.members.map((member) => [member.key, toEntry(member)])
  }

  setEntry(key: string, { value, metadata }: BaggageEntry): Baggage {
    const properties = metadata?.toString()
    const others = this.members.filter((each) => each.key !== key)
    return new Baggage([{ key, value, ...(properties && { properties }) }, ...others])
  }

  removeEntry(key: string): Baggage {
    return this.removeEntries(key)
  }

  removeEntries(...keys: string[]): Baggage {
    return new Baggage(this.members.filter(({ key }) => !keys.includes(key)))
  }

  clear(): Baggage {
    return emptyBaggage
  }
}

export const emptyBaggage: Baggage = /* @__PURE__ */ new Baggage([])

function toEntry({ value, properties }: BaggageMember): BaggageEntry {
  return properties === undefined ? { value } : { value, metadata: { toString: () => properties } }
}

/** Returns the baggage of a context, also if OpenTelemetry's API has created it; `undefined` without any. */
export function baggageOf(context: OpenTelemetryContext | undefined): Baggage | undefined {
  const found = context?.getValue(baggageKey)
  if (found === undefined || found instanceof Baggage) return found
  return fromOpenTelemetry(found)
}

/** Safe: OpenTelemetry's API, or another copy of upkeep, stores nothing else under the key; malformed parts are omitted. */
function fromOpenTelemetry(found: unknown): Baggage | undefined {
  try {
    const parts = (found as OpenTelemetryBaggage).getAllEntries().flatMap(([key, { value, metadata }]) => {
      const properties = metadata?.toString()
      return parseBaggage(formatOrOmit({ key, value: String(value), ...(properties && { properties }) }))
    })
    return new Baggage(parts)
  } catch {
    return undefined
  }
}

function formatOrOmit(member: BaggageMember): string {
  try {
    return formatBaggage([member])
  } catch {
    return ''
  }
}

import { createSafeCall, kindOf } from '../../base/callback.ts'
import { invalidReturn } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'

/** Configuration of the application, which the endpoint `env` shows beside that of the process. */
export interface PropertySource {
  /** As it is shown, such as `config/production.yaml`. */
  readonly name: string
  /** Values by name. Members of nested objects are named `server.port`, those of arrays `hosts[0]`. */
  readonly properties: Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>)
}

/** A value that is shown as JSON. */
export type PropertyValue = string | number | boolean | null

export interface Property {
  readonly value: PropertyValue
  /** Where the value comes from. */
  readonly origin?: string | undefined
}

/** The properties of a source by their full names. */
export interface ReadProperties {
  readonly name: string
  readonly properties: ReadonlyMap<string, Property>
}

/** Beyond these, values are omitted: configuration has fewer, but an object may contain itself. */
const maxDepth = 16
const maxValues = 10_000

/** Creates the reader of a source. If it fails, that is reported, once, and the source is shown without properties. */
export function createSourceReader({ name, properties }: PropertySource, report: Report): () => ReadProperties {
  const failed = (error: unknown) => report(`failed to read the property source '${name}'`, error)
  const call = createSafeCall<[], ReadonlyMap<string, Property>>(flatten, failed)
  const get = typeof properties === 'function' ? properties : () => properties
  return () => ({ name, properties: call(get) ?? new Map() })
}

/** Returns the values in nested objects and arrays by their full names. */
export function flatten(values: unknown): ReadonlyMap<string, Property> {
  const flat = new Map<string, Property>()
  let remaining = maxValues
  const add = (name: string, value: unknown, depth: number): void => {
    if (remaining-- <= 0 || depth > maxDepth || value === undefined || typeof value === 'function') return
    if (typeof value !== 'object' || value === null || value instanceof Date) {
      flat.set(name, { value: asJson(value) })
    } else if (Array.isArray(value)) {
      for (const [at, each] of value.entries()) add(`${name}[${at}]`, each, depth + 1)
    } else {
      for (const [key, each] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, each, depth + 1)
    }
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw invalidReturn(`expected an object of properties, received ${kindOf(values)}`)
  }
  add('', values, 0)
  return flat
}

function asJson(value: unknown): PropertyValue {
  const isJson = value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  return isJson ? value : value instanceof Date ? dateText(value) : String(value)
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString()
}

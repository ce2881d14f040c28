import { subscribe } from 'node:diagnostics_channel'
import { traceFields } from '../../../logging/record.ts'
import type { LogIds } from './log-ids.ts'

/** The symbol of pino under which a logger has its bindings as JSON text, on itself or on a prototype. */
const bindingsName = 'pino.chindings'

const saved: unique symbol = Symbol('upkeep.bindings')

/** What pino publishes around the serialization of a record; not part of its public types. */
interface Serialization {
  readonly instance: Record<symbol, unknown>
  readonly arguments: ArrayLike<unknown>
  [saved]?: { readonly key: symbol; readonly own: string | undefined }
}

/**
 * pino ≥ 9.10, bundled or not. While a record is serialized, the bindings of its logger contain the ids: no object of
 * the application is changed, and records may be frozen.
 */
export const pinoIds: LogIds = {
  name: 'pino',
  begin(safely) {
    let bindingsKey: symbol | undefined
    const add = safely((message: unknown) => {
      const ids = traceFields()
      if (ids.trace_id === undefined) return
      const serialization = message as Serialization
      const { instance } = serialization
      const [record] = Array.from(serialization.arguments)
      if (typeof record === 'object' && record !== null && 'trace_id' in record) return
      if (bindingsKey === undefined || !(bindingsKey in instance)) bindingsKey = findKey(instance)
      const bindings = bindingsKey && instance[bindingsKey]
      if (bindingsKey === undefined || typeof bindings !== 'string' || bindings.includes('"trace_id"')) return
      serialization[saved] = { key: bindingsKey, own: Object.hasOwn(instance, bindingsKey) ? bindings : undefined }
      instance[bindingsKey] = bindings + textOf(ids)
    }, nothing)
    const remove = safely((message: unknown) => {
      const { instance, [saved]: before } = message as Serialization
      if (before === undefined) return
      if (before.own === undefined) delete instance[before.key]
      else instance[before.key] = before.own
    }, nothing)
    subscribe('tracing:pino_asJson:start', add)
    subscribe('tracing:pino_asJson:end', remove)
  },
}

function findKey(logger: object): symbol | undefined {
  for (let at: object | null = logger; at !== null; at = Object.getPrototypeOf(at)) {
    const key = Object.getOwnPropertySymbols(at).find(({ description }) => description === bindingsName)
    if (key !== undefined) return key
  }
  return undefined
}

function textOf(ids: object): string {
  let text = ''
  for (const [name, value] of Object.entries(ids)) text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  return text
}

function nothing(): void {}

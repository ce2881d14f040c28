import { subscribe } from 'node:diagnostics_channel'
import { replaceMethod } from '../../instrumentation/replaced-method.ts'
import type { Safely } from '../../instrumentation/safely.ts'
import { traceFields } from '../../logging/record.ts'
import type { LoadedModules } from './loaded-modules.ts'

/** How the ids of the current trace reach the records of one logger. */
interface LogIds {
  /** Called once. */
  begin?(safely: Safely): void
  /** Called with the modules that have been loaded, and again when there may be more. */
  observe?(modules: LoadedModules, safely: Safely): void
}

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
const pinoIds: LogIds = {
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

const observed = /* @__PURE__ */ new WeakSet<object>()

/** winston 3 outside of bundles: its loggers, also those that exist already, pass each record to a method of one class. */
const winstonIds: LogIds = {
  observe(modules, safely) {
    const add = safely(
      (info: unknown) => {
        const ids: Readonly<Record<string, unknown>> = { ...traceFields() }
        const record = info as Record<string, unknown>
        for (const name in ids) record[name] ??= ids[name]
      },
      () => {},
    )
    for (const exported of modules.exportsOf('winston/lib/winston/logger.js')) {
      if (!isLoggerClass(exported) || observed.has(exported)) continue
      observed.add(exported)
      replaceMethod(exported.prototype, '_transform', (original, self, [info, encoding, callback]) => {
        if (typeof info === 'object' && info !== null) add(info)
        return original.call(self, info, encoding, callback)
      })
    }
  },
}

function isLoggerClass(exported: unknown): exported is { readonly prototype: { _transform: unknown } } {
  return typeof exported === 'function' && typeof exported.prototype?._transform === 'function'
}

const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

/**
 * The console: the ids follow what is written, as `trace_id=… span_id=…`. Lines of JSON, which would be spoilt, and
 * empty lines are left alone.
 */
const consoleIds: LogIds = {
  begin(safely) {
    const add = safely(addIds, () => {})
    for (const method of methods) {
      if (publishesConsole(process.versions.node)) subscribe(`console.${method}`, add)
      else {
        replaceMethod(console, method, (original, self, args) => {
          add(args)
          return original.apply(self, args)
        })
      }
    }
  },
}

/** Whether node:console publishes the arguments of each call, which a subscriber can change. */
function publishesConsole(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 23 || (major === 22 && minor >= 15)
}

function addIds(message: unknown): void {
  const args = message as unknown[]
  const [first] = args
  if (args.length === 0 || (args.length === 1 && (first === '' || isJson(first)))) return
  const { trace_id, span_id } = traceFields()
  if (trace_id === undefined) return
  // A directive such as %s without an argument would take the ids as its own.
  if (typeof first === 'string' && first.includes('%')) {
    args.splice(0, args.length, '%s', process.getBuiltinModule('node:util').format(...args))
  }
  args.push(`trace_id=${trace_id} span_id=${span_id}`)
}

/** Not `[` alone, with which many lines of text begin. */
function isJson(value: unknown): boolean {
  return typeof value === 'string' && (value.trimStart().startsWith('{') || value.trimStart().startsWith('[{'))
}

/** The loggers whose records get the ids of the current trace. */
export const loggers: readonly LogIds[] = [pinoIds, winstonIds, consoleIds]

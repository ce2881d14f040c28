import { replaceMethod } from '../../../instrumentation/replaced-method.ts'
import { traceFields } from '../../../logging/record.ts'
import type { LogIds } from './log-ids.ts'

const observed = /* @__PURE__ */ new WeakSet<object>()

/** winston 3 outside of bundles: its loggers, also those that exist already, pass each record to a method of one class. */
export const winstonIds: LogIds = {
  name: 'winston',
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
      replaceMethod(exported.prototype, '_transform', (original) => {
        return function (info, encoding, callback) {
          if (typeof info === 'object' && info !== null) add(info)
          return original.call(this, info, encoding, callback)
        }
      })
    }
  },
}

function isLoggerClass(exported: unknown): exported is { readonly prototype: { _transform: unknown } } {
  return typeof exported === 'function' && typeof exported.prototype?._transform === 'function'
}

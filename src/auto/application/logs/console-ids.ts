import { subscribe } from 'node:diagnostics_channel'
import { replaceMethod } from '../../../instrumentation/replaced-method.ts'
import { traceFields } from '../../../logging/record.ts'
import type { LogIds } from './log-ids.ts'

const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

/**
 * The console: the ids follow what is written, as `trace_id=… span_id=…`. Lines of JSON, which would be spoilt, and
 * empty lines are left alone.
 */
export const consoleIds: LogIds = {
  name: 'console',
  begin(safely) {
    const add = safely(addIds, () => {})
    for (const method of methods) {
      if (publishesConsole(process.versions.node)) subscribe(`console.${method}`, add)
      else {
        replaceMethod(console, method, (original) => {
          return function (...args) {
            add(args)
            return original.apply(this, args)
          }
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

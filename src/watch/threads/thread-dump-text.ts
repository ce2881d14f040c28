import type { ThreadDump } from './thread-dump.ts'
import { threadStates } from './thread-dump-json.ts'
import type { StackFrame, ThreadStack } from './thread-dump-operation.ts'

/** Returns a thread dump as text, in the layout of Java's; `now` is in milliseconds since the epoch. */
export function threadDumpText({ threads, activeResources }: ThreadDump, now: number): string {
  const { node, v8 } = process.versions
  const [date, time = ''] = new Date(now).toISOString().split('T')
  return [
    `${date} ${time.slice(0, 8)}`,
    `Full thread dump Node.js ${node} (V8 ${v8}):`,
    ...threads.flatMap(threadLines),
    ...(activeResources === undefined ? [] : resourceLines(activeResources)),
    '',
  ].join('\n')
}

function resourceLines(resources: Readonly<Record<string, number>>): readonly string[] {
  const lines = Object.entries(resources).map(([type, count]) => `\t- ${count} ${type}`)
  return ['', 'Active resources of the main thread:', ...(lines.length === 0 ? ['\t- None'] : lines)]
}

function threadLines({ id, name, activity, frames }: ThreadStack): readonly string[] {
  const detail = { running: '', idle: ' (idle)', native: ' (in native code)' }[activity]
  const state = `   java.lang.Thread.State: ${threadStates[activity]}${detail}`
  return ['', `"${name}" - Thread t@${id}`, state, ...frames.map((frame) => `\tat ${formatFrame(frame)}`)]
}

/** Returns a call as `name (url:line:column)`. */
export function formatFrame({ functionName, url, line, column }: StackFrame): string {
  const place = line < 0 ? url : `${url}:${line}:${column}`
  return functionName === '' ? place : `${functionName} (${place})`
}

import type { ThreadDump } from './thread-dump.ts'
import { threadStates } from './thread-dump-json.ts'
import type { StackFrame, ThreadStack } from './thread-dump-operation.ts'

/** Returns a thread dump as text, in the layout of Java's; `now` is in milliseconds since the epoch. */
export function threadDumpText({ threads, activeResources }: ThreadDump, now: number): string {
  const { node, v8 } = process.versions
  const [date, time = ''] = new Date(now).toISOString().split('T')
  const resources = Object.entries(activeResources).map(([type, count]) => `\t- ${count} ${type}`)
  return [
    `${date} ${time.slice(0, 8)}`,
    `Full thread dump Node.js ${node} (V8 ${v8}):`,
    ...threads.flatMap(threadLines),
    '',
    'Active resources of the main thread:',
    ...(resources.length === 0 ? ['\t- None'] : resources),
    '',
  ].join('\n')
}

function threadLines({ id, name, activity, frames }: ThreadStack): readonly string[] {
  const detail = { running: '', idle: ' (idle)', native: ' (in native code)' }[activity]
  const state = `   java.lang.Thread.State: ${threadStates[activity]}${detail}`
  return ['', `"${name}" - Thread t@${id}`, state, ...frames.map((frame) => `\tat ${frameText(frame)}`)]
}

function frameText({ functionName, url, line, column }: StackFrame): string {
  const place = line < 0 ? url : `${url}:${line}:${column}`
  return functionName === '' ? place : `${functionName} (${place})`
}

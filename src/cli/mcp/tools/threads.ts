import { type JsonObject, numberOf, objectsIn, textOf } from '../../top/top-sample.ts'
import { describe, int, maximum, minimum, optional } from '../sdk.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { jsonOf } from './shown-values.ts'

export const threads: Tool = serviceTool({
  name: 'threads',
  title: 'Threads',
  description: 'Shows what each thread of a service does at this moment: its state and its stack.',
  fields: {
    frames: optional(int().check(minimum(1), maximum(100), describe('How many calls of each stack; 10 by default.'))),
  },
  async run(connection, { frames = 10 }) {
    const dump = required(await connection.read('threaddump', { seconds: 30 }), connection, 'threaddump')
    const all = objectsIn(dump['threads'])
    const running = all.filter(({ threadState }) => threadState === 'RUNNABLE')
    const resources =
      dump['activeResources'] === undefined ? [] : [`Active resources: ${jsonOf(dump['activeResources'])}`]
    const byState = [...running, ...all.filter((each) => !running.includes(each))]
    return {
      summary: [`${all.length} threads, ${running.length} of them runnable.`, ...resources],
      details: byState.flatMap((each) => threadLines(each, frames)),
      narrowBy: 'frames',
    }
  },
})

function threadLines({ threadName, threadState, stackTrace }: JsonObject, frames: number): readonly string[] {
  const stack = objectsIn(stackTrace)
  const calls = stack.slice(0, frames).map(({ className, methodName, lineNumber }) => {
    const line = numberOf(lineNumber) ?? -1
    return `    at ${textOf(methodName)} (${textOf(className) ?? '-'}${line < 0 ? '' : `:${line}`})`
  })
  const rest = stack.length > frames ? [`    and ${stack.length - frames} more`] : []
  return [`${textOf(threadName)}: ${textOf(threadState)}`, ...calls, ...rest]
}

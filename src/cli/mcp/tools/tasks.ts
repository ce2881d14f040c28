import { type JsonObject, numberOf, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import { required, serviceTool, type Tool } from '../tool.ts'

export const tasks: Tool = serviceTool({
  name: 'tasks',
  title: 'Scheduled tasks',
  description:
    'Lists the scheduled tasks of a service with their last and next runs, those that failed or are late first.',
  fields: {},
  async run(connection) {
    const shown = required(await connection.read('scheduledtasks'), connection, 'scheduledtasks')
    const kinds = ['cron', 'fixedDelay', 'fixedRate', 'custom']
    const all = kinds.flatMap((kind) => objectsIn(shown[kind]).map((task) => ({ task, line: lineOf(kind, task) })))
    const wrong = all.filter(
      ({ task }) => task['late'] === true || objectOf(task['lastExecution'])['status'] === 'ERROR',
    )
    const others = all.filter((each) => !wrong.includes(each))
    return {
      summary: [`${all.length} tasks; ${wrong.length} of them failed or are late.`],
      details: [...wrong, ...others].map(({ line }) => line),
    }
  },
})

function lineOf(kind: string, task: JsonObject): string {
  const { status, time, exception } = objectOf(task['lastExecution'])
  const { message, type } = objectOf(exception)
  const next = textOf(objectOf(task['nextExecution'])['time'])
  const trigger = textOf(task['expression']) ?? textOf(task['trigger']) ?? numberOf(task['interval'])
  return [
    `${textOf(objectOf(task['runnable'])['target'])}: ${kind} ${trigger ?? ''}`,
    ...(textOf(status) === undefined ? ['has not run'] : [`${textOf(status)} at ${textOf(time)}`]),
    ...(exception === undefined ? [] : [`${textOf(type)}: ${textOf(message)}`]),
    ...(next === undefined ? [] : [`next ${next}`]),
    ...(task['late'] === true ? ['LATE'] : []),
  ].join('; ')
}

import type { ScheduledTasks } from '../../instrumentation/tasks/scheduled-tasks.ts'
import type { ScheduledTaskState, TaskExecution } from '../../instrumentation/tasks/task-history.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/**
 * `scheduledtasks`: the tasks of the application by kind of trigger, with their last and their next run, in the format
 * of Spring Boot Actuator.
 */
export function scheduledTasksEndpoint(tasks: Pick<ScheduledTasks, 'read'>): Endpoint {
  const get = async () => {
    const states = await tasks.read()
    const ofKind = (kind: string) => states.filter(({ trigger }) => trigger.kind === kind).map(describeTask)
    const [cron, fixedDelay, fixedRate, custom] = ['cron', 'fixedDelay', 'fixedRate', 'custom'].map(ofKind)
    return json({ cron, fixedDelay, fixedRate, custom }, 'no-store')
  }
  return {
    id: 'scheduledtasks',
    routes: [{ path: 'scheduledtasks', resource: { access: 'authorized', get } }],
    describe,
  }
}

function describeTask({ name, trigger, running, isLate, nextExecution, lastExecution }: ScheduledTaskState) {
  return {
    runnable: { target: name },
    ...describeTrigger(trigger),
    ...(nextExecution !== undefined && { nextExecution: { time: instant(nextExecution) } }),
    ...(lastExecution !== undefined && { lastExecution: describeExecution(lastExecution) }),
    running,
    late: isLate,
  }
}

function describeTrigger(trigger: ScheduledTaskState['trigger']) {
  switch (trigger.kind) {
    case 'cron':
      return { expression: trigger.expression }
    case 'custom':
      return { trigger: trigger.expression }
    case 'fixedDelay':
    case 'fixedRate':
      return { initialDelay: trigger.initialDelay, interval: trigger.interval }
  }
}

function describeExecution(execution: TaskExecution) {
  const { status, time } = execution
  return {
    status,
    time: instant(time),
    ...(status !== 'STARTED' && { duration: `PT${execution.seconds.toFixed(3)}S` }),
    ...(status === 'ERROR' && { exception: execution.exception }),
  }
}

function instant(time: number): string {
  return new Date(time).toISOString()
}

function describe(): EndpointDescription {
  const time = { type: 'string', format: 'date-time' }
  const duration = { type: 'string', format: 'duration' }
  const task = (members: Readonly<Record<string, object>>) =>
    listSchema({
      type: 'object',
      properties: {
        runnable: objectSchema({ target: stringSchema }),
        ...members,
        nextExecution: objectSchema({ time }),
        lastExecution: {
          type: 'object',
          properties: {
            status: { enum: ['STARTED', 'SUCCESS', 'ERROR'] },
            time,
            duration,
            exception: objectSchema({ type: stringSchema, message: stringSchema }),
          },
          required: ['status', 'time'],
        },
        running: { type: 'integer' },
        late: { type: 'boolean' },
      },
      required: ['runnable', ...Object.keys(members), 'running', 'late'],
    })
  const milliseconds = { type: 'integer' }
  const interval = { initialDelay: milliseconds, interval: milliseconds }
  const schema = objectSchema({
    cron: task({ expression: stringSchema }),
    fixedDelay: task(interval),
    fixedRate: task(interval),
    custom: task({ trigger: stringSchema }),
  })
  const summary = 'The scheduled tasks, with their last and their next run.'
  const responses = [{ status: 200, description: summary, content: describeJson(schema) }]
  return { scheduledtasks: { GET: { summary, responses } } }
}

import { bearerToken, type ManagementOptions } from 'upkeep'
import { createScheduledTasks } from 'upkeep/instrumentation'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const path = '/management/scheduledtasks'

function setUp(options: ManagementOptions = {}) {
  const clock = createManualClock()
  const tasks = createScheduledTasks({ clock })
  const { management, send } = createManagementClient({
    expose: ['health', 'scheduledtasks'],
    scheduledTasks: tasks,
    authorize: bearerToken('secret'),
    ...options,
  })
  const get = (headers = {}) => send(path, { headers: { authorization: 'Bearer secret', ...headers } })
  return { clock, tasks, management, send, get }
}

describe('GET scheduledtasks', () => {
  it('has a first execution that goes on, without a duration', async () => {
    const { tasks, get } = setUp()
    void tasks.schedule('import', () => new Promise<void>(() => {}), { fixedDelay: '1h' })()
    const { json, headers } = await get()
    expect(json).toMatchObject({ fixedDelay: [{ running: 1 }] })
    expect((json as { fixedDelay: object[] }).fixedDelay[0]).toHaveProperty('lastExecution', {
      ...{ status: 'STARTED', time: '1970-01-01T00:00:00.000Z' },
    })
    expect(headers['Cache-Control']).toBe('no-store')
  })

  it("has all tasks by kind of trigger, in Spring Boot Actuator's shape", async () => {
    const { clock, tasks, get } = setUp()
    const next = () => new Date(Date.UTC(1970, 0, 2, 3))
    tasks.schedule('reports.nightly', () => {}, { cron: '0 3 * * *', next })()
    tasks.schedule('mail.send', () => {}, { fixedDelay: '3s', initialDelay: '0s' })
    const poll = tasks.schedule('poll', () => clock.advance(250), { fixedRate: '2s' })
    clock.advance(1_000)
    poll()
    const fail = tasks.schedule('cleanup', () => {
      throw new RangeError('full')
    })
    expect(fail).toThrow()
    expect((await get()).json).toEqual({
      cron: [
        {
          runnable: { target: 'reports.nightly' },
          expression: '0 3 * * *',
          nextExecution: { time: '1970-01-02T03:00:00.000Z' },
          lastExecution: { status: 'SUCCESS', time: '1970-01-01T00:00:00.000Z', duration: 'PT0.000S' },
          running: 0,
          late: false,
        },
      ],
      fixedDelay: [
        {
          runnable: { target: 'mail.send' },
          initialDelay: 0,
          interval: 3_000,
          nextExecution: { time: '1970-01-01T00:00:00.000Z' },
          running: 0,
          late: false,
        },
      ],
      fixedRate: [
        {
          runnable: { target: 'poll' },
          initialDelay: 2_000,
          interval: 2_000,
          nextExecution: { time: '1970-01-01T00:00:03.000Z' },
          lastExecution: { status: 'SUCCESS', time: '1970-01-01T00:00:01.000Z', duration: 'PT0.250S' },
          running: 0,
          late: false,
        },
      ],
      custom: [
        {
          runnable: { target: 'cleanup' },
          trigger: 'unknown',
          lastExecution: {
            status: 'ERROR',
            time: '1970-01-01T00:00:01.250Z',
            duration: 'PT0.000S',
            exception: { type: 'RangeError', message: 'full' },
          },
          running: 0,
          late: false,
        },
      ],
    })
  })

  it("has Spring Boot's media type on request", async () => {
    const { get } = setUp()
    const accept = 'application/vnd.spring-boot.actuator.v3+json'
    expect((await get({ accept })).headers['Content-Type']).toBe(accept)
  })

  it('requires an authorized caller, also if all are declared public', async () => {
    const { send } = setUp({ access: { '*': 'public' } })
    expect((await send(path)).status).toBe(401)
  })

  it('requires the options authorize and scheduledTasks', () => {
    expect(() => setUp({ authorize: undefined })).toThrow(
      'createManagement: the endpoint "scheduledtasks" requires the option "authorize"',
    )
    expect(() => setUp({ scheduledTasks: undefined })).toThrow(
      'createManagement: scheduledTasks: expected createScheduledTasks(), because "scheduledtasks" is exposed',
    )
  })

  it('is 405 to everything but GET and HEAD', async () => {
    const { send } = setUp()
    expect(await send(path, { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
  })
})

describe('the option scheduledTasks', () => {
  it('measures the tasks until the management is closed, also if the endpoint is not exposed', () => {
    const { tasks, management } = setUp({ expose: ['health'] })
    const run = tasks.schedule('poll', () => {})
    run()
    management.close()
    run()
    expect([...management.meters.snapshot('tasks.scheduled.execution')]).toMatchObject([{ count: 1 }])
  })
})

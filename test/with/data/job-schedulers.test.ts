import { Queue, Worker } from 'bullmq'
import { createScheduledTasks } from 'upkeep/instrumentation'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { uniqueName } from '../../support/unique-name.ts'

/** Longer than a busy machine takes. */
const waiting = { timeout: 50_000, interval: 20 }

await describeRunningServers([running.redis], () => {
  describe('a queue of BullMQ', () => {
    const connection = { host: '127.0.0.1', port: 6379, maxRetriesPerRequest: null }

    function createQueue(work: () => Promise<unknown>) {
      const name = uniqueName('tasks')
      const queue = new Queue(name, { connection })
      const worker = new Worker(name, work, { connection })
      queue.on('error', () => {})
      worker.on('error', () => {})
      onTestFinished(async () => {
        await worker.close()
        await queue.obliterate({ force: true })
        await queue.close()
      })
      return { name, queue, worker }
    }

    it('has a task for each of its job schedulers, with the runs in this process', async () => {
      const { name, queue, worker } = createQueue(async () => 'sent')
      const tasks = createScheduledTasks()
      tasks.add(queue, { worker })
      await queue.upsertJobScheduler('digest', { every: 200 })
      await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *' })
      await queue.add('once', {})
      await vi.waitFor(async () => {
        const [digest, nightly, ...others] = await tasks.read()
        expect(digest).toMatchObject({
          name: `${name}.digest`,
          trigger: { kind: 'fixedRate', interval: 200 },
          lastExecution: { status: 'SUCCESS' },
          isLate: false,
        })
        expect(nightly).toMatchObject({
          name: `${name}.nightly`,
          trigger: { kind: 'cron', expression: '0 3 * * *' },
          nextExecution: expect.any(Number),
          lastExecution: undefined,
        })
        expect(others).toEqual([])
      }, waiting)
    })

    it('shows the error of a failed job', async () => {
      const { queue, worker } = createQueue(async () => {
        throw new RangeError('mail server is away')
      })
      const tasks = createScheduledTasks()
      tasks.add(queue, { worker })
      await queue.upsertJobScheduler('digest', { every: 100 })
      await vi.waitFor(async () => {
        expect((await tasks.read())[0]).toMatchObject({
          lastExecution: { status: 'ERROR', exception: { message: 'mail server is away' } },
        })
      }, waiting)
    })

    it('is late while no worker takes its jobs', async () => {
      const name = uniqueName('tasks')
      const queue = new Queue(name, { connection })
      onTestFinished(async () => {
        await queue.obliterate({ force: true })
        await queue.close()
      })
      const tasks = createScheduledTasks({ lateAfter: '100ms' })
      tasks.add(queue)
      await queue.upsertJobScheduler('digest', { every: 100 })
      await vi.waitFor(async () => expect((await tasks.read())[0]).toMatchObject({ isLate: true }), waiting)
    })
  })
})

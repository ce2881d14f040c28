import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { describeServer } from '../../../support/describe-server.ts'
import { findProgram } from '../../../support/programs.ts'
import { startRedis } from '../../../support/start-redis.ts'
import { recordedSeries } from '../../../support/timed-operations.ts'

/** Longer than a busy machine takes. */
const patiently = { timeout: 50_000 }

afterAll(() => vi.unstubAllEnvs())

describeServer(
  { name: 'Redis', program: findProgram('redis-server'), install: 'apt-get install redis-server', start: startRedis },
  (server) => {
    it('bullmq.ts: jobs are counted, the queue is measured, and its component follows Redis', async () => {
      vi.stubEnv('REDIS_URL', server().url)
      const { management, queue, worker } = await import('./bullmq.ts')
      onTestFinished(async () => {
        await Promise.all([worker.close(), queue.close()])
        management.close()
      })
      const mail = async () => (await management.health.check()).components?.['mail']
      await queue.add('welcome', { to: 'bob@example.com' })
      const tags = { queue: 'mail', job: 'welcome' }
      await expect.poll(() => recordedSeries(management.meters, 'bullmq.jobs.completed')).toEqual([[tags, 1]])
      expect([...management.meters.snapshot('bullmq.queue.jobs')]).toHaveLength(7)
      expect(await mail()).toMatchObject({ status: 'UP' })
      await server().kill()
      await expect.poll(() => mail(), patiently).toMatchObject({ status: 'DOWN' })
      await server().start()
      await expect.poll(() => mail(), patiently).toMatchObject({ status: 'UP' })
    })
  },
)

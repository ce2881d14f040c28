import { expect, it, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { applicationFacts } from '../../src/console/process-facts.ts'

it('has no commit, and rejects nothing, if the working directory is removed', async () => {
  for (const name of ['GIT_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA']) vi.stubEnv(name, '')
  const cwd = vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw new Error('ENOENT: uv_cwd')
  })
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const facts = applicationFacts({ name: 'orders' }, true, systemClock)
  expect(cwd).toHaveBeenCalled()
  // Rejections that nobody handles are reported after the microtasks.
  await new Promise((resolve) => setImmediate(resolve))
  expect([facts.commit, unhandled.mock.calls]).toEqual([undefined, []])
  process.off('unhandledRejection', unhandled)
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

it('has the commit that the environment names', async () => {
  vi.stubEnv('GIT_COMMIT', 'a'.repeat(100))
  const facts = applicationFacts(undefined, true, systemClock)
  await expect.poll(() => facts.commit).toBe('a'.repeat(64))
  expect(applicationFacts(undefined, false, systemClock).commit).toBeUndefined()
  vi.unstubAllEnvs()
})

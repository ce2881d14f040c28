import { describe, expect, it } from 'vitest'
import { planShutdown } from '../../src/lifecycle/shutdown/shutdown-plan.ts'

describe('a shutdown by default, unlike', () => {
  it('@godaddy/terminus, gives requests more than a second to finish', () => {
    expect(planShutdown({ delay: '0ms' }).maxMilliseconds).toBe(10_000)
  })

  it('lightship, ends before a pod is killed after 30 s', () => {
    const hook = { name: 'pool', run: () => undefined }
    const plan = planShutdown({ hooks: [hook, hook], flush: [hook] })
    expect(plan.delayMilliseconds + plan.maxMilliseconds).toBe(27_000)
  })
})
